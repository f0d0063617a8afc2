// The hooks in classes of this JDK.
package dev.retap.agent.rewrite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.junit.Test;

public final class JdkHooksTest {
  private static final String WORLD = "dev/retap/agent/world/";

  @Test
  public void aHookStandsBeforeTheFirstCallOfItsMethod() throws Exception {
    assertEquals(
        WORLD + "Blocking.park()Z", firstCall("java/util/concurrent/locks/LockSupport", "park"));
    assertEquals(
        WORLD + "IdentityHashes.ensureHash(Ljava/lang/Object;)V",
        firstCall("java/util/HashMap", "hash"));
    assertEquals(
        WORLD + "jdk/AgentDescriptors.checkRead(Ljava/io/FileInputStream;)V",
        firstCall("java/io/FileInputStream", "read"));
  }

  @Test
  public void whatAsksItsElementsForHashesAsksTheWorldFirst() throws Exception {
    String hashCode = WORLD + "IdentityHashes.hashCode(Ljava/lang/Object;)I";
    assertTrue(calls("java/util/Arrays", "hashCode").contains(hashCode));
    assertTrue(calls("java/util/ArrayList", "hashCodeRange").contains(hashCode));
    assertTrue(calls("java/util/Objects", "hashCode").contains(hashCode));
    assertTrue(calls("java/util/Hashtable", "get").contains(hashCode));
    assertTrue(calls("java/lang/invoke/MethodType", "hashCode").contains(hashCode));
  }

  @Test
  public void aClassGetsItsHashWhenItIsDefined() throws Exception {
    assertEquals(
        WORLD + "IdentityHashes.ensureHash(Ljava/lang/Object;)V",
        firstCall("java/lang/ClassLoader", "postDefineClass"));
  }

  @Test
  public void randomNumbersOfTheAppComeFromTheWorld() throws Exception {
    List<String> calls = calls("java/lang/Math", "random");
    assertEquals(WORLD + "Scheduler.isAppThread()Z", calls.get(0));
    assertEquals(WORLD + "WorldRandom.nextDouble()D", calls.get(1));
    assertTrue(
        calls("java/security/SecureRandom", "nextBytes").contains(WORLD + "WorldRandom.fill([B)V"));
    assertTrue(
        calls("java/security/SecureRandom", "generateSeed")
            .contains(WORLD + "WorldRandom.bytes(I)[B"));
    assertTrue(calls("java/util/Random", "<init>").contains(WORLD + "WorldRandom.randomSeed()J"));
  }

  @Test
  public void calendarsShowTheWorldsTime() throws Exception {
    String time = WORLD + "Blocking.currentTimeMillis()J";
    assertTrue(JdkHooks.wants("sun/util/locale/provider/CalendarProviderImpl"));
    assertTrue(
        calls("sun/util/locale/provider/CalendarProviderImpl", "getInstance").contains(time));
    assertTrue(calls("java/text/SimpleDateFormat", "initializeDefaultCentury").contains(time));
    assertTrue(calls("java/net/HttpCookie", "hasExpired").contains(time));
  }

  @Test
  public void publicMembersAreOpenToTheApp() throws Exception {
    assertTrue(JdkHooks.wants("jdk/internal/reflect/Reflection"));
    assertEquals(
        WORLD + "Scheduler.isAppThread()Z",
        firstCall("jdk/internal/reflect/Reflection", "verifyMemberAccess"));
  }

  @Test
  public void reflectionOpensPrivateMembersToTheApp() throws Exception {
    assertTrue(JdkHooks.wants("java/lang/reflect/AccessibleObject"));
    assertTrue(
        calls("java/lang/reflect/AccessibleObject", "checkCanSetAccessible")
            .contains(WORLD + "jdk/OpenMembers.areOpen(Ljava/lang/Class;)Z"));
  }

  @Test
  public void aThreadIsRegisteredBeforeItStarts() throws Exception {
    List<String> calls = calls("java/lang/Thread", "start");
    int registered = calls.indexOf(WORLD + "Blocking.threadStarting(Ljava/lang/Thread;)V");
    assertTrue(registered >= 0);
    assertEquals("java/lang/Thread.start0()V", calls.get(registered + 1));
  }

  @Test
  public void callsOfTheTableAreReplacedInTimersAndJoins() throws Exception {
    assertTrue(
        calls("java/lang/Thread", "join").contains(WORLD + "Blocking.await(Ljava/lang/Object;J)V"));
    assertTrue(
        calls("java/util/TimerThread", "mainLoop")
            .contains(WORLD + "Blocking.currentTimeMillis()J"));
  }

  @Test
  public void aThreadThatWaitsForTheCollectorGivesTheBatonUp() throws Exception {
    assertTrue(
        calls("java/lang/ref/ReferenceQueue", "remove")
            .contains(WORLD + "Blocking.await(Ljava/lang/Object;J)V"));
    assertTrue(
        calls("java/lang/ref/ReferenceQueue", "enqueue")
            .contains(WORLD + "Blocking.notifyEvery(Ljava/lang/Object;)V"));
  }

  @Test
  public void theAppDoesNotWaitForTheDisk() throws Exception {
    assertEquals(
        WORLD + "jdk/DiskSync.skipsForce(Ljava/lang/Object;)Z",
        firstCall("sun/nio/ch/FileChannelImpl", "force"));
    assertTrue(
        calls("java/io/RandomAccessFile", "<init>")
            .contains(WORLD + "jdk/DiskSync.mode(Ljava/lang/String;)Ljava/lang/String;"));
  }

  @Test
  public void aNewReferenceIsReported() throws Exception {
    List<String> calls = calls("java/lang/ref/Reference", "<init>");
    assertEquals(
        WORLD + "References.created(Ljava/lang/ref/Reference;Ljava/lang/Object;)V",
        calls.get(calls.size() - 1));
  }

  @Test
  public void aPatternIsCompiledAsIcuReadsIt() throws Exception {
    List<String> calls = calls(PatternHooks.TYPE, "compile");
    assertTrue(calls.contains(PatternHooks.ICU + ".checkFlags(I)V"));
    assertTrue(calls.contains(PatternHooks.ICU + ".compileFlags(I)I"));
    assertTrue(
        calls.contains(PatternHooks.ICU + ".translate(Ljava/lang/String;I)Ljava/lang/String;"));
    assertEquals(List.of(PatternHooks.ICU + ".givenFlags(II)I"), calls(PatternHooks.TYPE, "flags"));
  }

  @Test
  public void onlyListedClassesAreRewritten() {
    assertTrue(JdkHooks.wants("java/util/concurrent/FutureTask"));
    assertTrue(JdkHooks.wants("java/util/Random"));
    assertTrue(JdkHooks.wants("java/io/FileDescriptor"));
    assertFalse(JdkHooks.wants("java/lang/String"));
    assertFalse(JdkHooks.wants("dev/retap/agent/world/Blocking"));
  }

  private static List<String> calls(String type, String method) throws Exception {
    byte[] rewritten = JdkHooks.rewrite(type, RewrittenClasses.bytesOf(type));
    return RewrittenClasses.callsIn(rewritten, method);
  }

  private static String firstCall(String type, String method) throws Exception {
    return calls(type, method).get(0);
  }
}
