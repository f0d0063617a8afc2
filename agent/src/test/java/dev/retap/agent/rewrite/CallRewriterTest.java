// Rewritten classes run in a test world: their waits take virtual time and their loops are counted.
package dev.retap.agent.rewrite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.world.AppStatics;
import dev.retap.agent.world.TestWorld;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.Test;

public final class CallRewriterTest {
  private static final String BLOCKING = "dev/retap/agent/world/Blocking.";

  public static final class Sleeper implements Callable<Long> {
    @Override
    public Long call() throws Exception {
      Thread.sleep(1_000);
      synchronized (this) {
        wait(500);
      }
      return System.currentTimeMillis();
    }
  }

  public static final class Quitter {
    void quit() {
      System.exit(1);
    }

    @Override
    public int hashCode() {
      return super.hashCode();
    }

    int hashOf(Quitter other) {
      return other.hashCode();
    }
  }

  public static final class Codec {
    static native long decode(int width, long size, double rate, String name);

    native void reset(byte[] data);
  }

  public static final class Looper {
    int loop() {
      int sum = 0;
      for (int i = 0; i < 3; i++) {
        sum += i;
      }
      return sum;
    }

    synchronized void lock() {}
  }

  public static class Worker extends Thread {
    @Override
    public void run() {}

    boolean works() {
      return isAlive();
    }
  }

  public static class Orphan extends ClassLoader {}

  public static final class StackReader {
    static String read(StackTraceElement frame) {
      return frame.getMethodName().concat(frame.toString());
    }
  }

  public static final class Reporter {
    void report(java.io.IOException thrown, java.io.PrintWriter out) {
      thrown.printStackTrace(out);
    }
  }

  public static class Napper extends Thread {
    void nap() throws InterruptedException {
      sleep(10);
      if (isAlive()) {
        sleep(10, 5);
      }
    }
  }

  public static final class Keeper {
    static Map<String, String> kept = new HashMap<>();
    static String text = "no collection";
  }

  @Test
  public void aNativeMethodOfTheAppFailsInJava() throws Exception {
    byte[] rewritten = CallRewriter.rewrite(RewrittenClasses.bytesOf(Codec.class), true);
    Class<?> codec = RewrittenClasses.load(Codec.class, rewritten);
    for (java.lang.reflect.Method method : codec.getDeclaredMethods()) {
      assertFalse(method.getName(), java.lang.reflect.Modifier.isNative(method.getModifiers()));
      assertEquals(
          List.of(
              "dev/retap/agent/device/app/NativeLibraries.refuse"
                  + "(Ljava/lang/String;)Ljava/lang/UnsatisfiedLinkError;"),
          RewrittenClasses.callsIn(rewritten, method.getName()));
    }
  }

  @Test
  public void aThreadThatAsksAboutItselfAsksTheScheduler() throws Exception {
    byte[] rewritten = CallRewriter.rewrite(RewrittenClasses.bytesOf(Worker.class), true);
    assertEquals(
        List.of(BLOCKING + "isAlive(Ljava/lang/Thread;)Z"),
        RewrittenClasses.callsIn(rewritten, "works"));
  }

  @Test
  public void anAppThatLooksForAnInitialiserInAStackFindsIt() throws Exception {
    byte[] rewritten = CallRewriter.rewrite(RewrittenClasses.bytesOf(StackReader.class), true);
    String frame = "(Ljava/lang/StackTraceElement;)Ljava/lang/String;";
    String statics = "dev/retap/agent/world/AppStatics.";
    assertEquals(
        List.of(statics + "methodName" + frame, statics + "frameText" + frame),
        RewrittenClasses.callsIn(rewritten, "read").subList(0, 2));
    StackTraceElement moved = new StackTraceElement("a.B", AppStatics.METHOD, "B.java", 7);
    assertEquals("<clinit>", AppStatics.methodName(moved));
    assertEquals("a.B.<clinit>(B.java:7)", AppStatics.frameText(moved));
    StackTraceElement plain = new StackTraceElement("a.B", "run", "B.java", 8);
    assertEquals("run", AppStatics.methodName(plain));
    assertEquals("a.B.run(B.java:8)", AppStatics.frameText(plain));
  }

  @Test
  public void anAppThatPrintsAStackReadsAndroidsWords() throws Exception {
    byte[] reporter = RewrittenClasses.bytesOf(Reporter.class);
    String print = "Ljava/io/PrintWriter;)V";
    assertEquals(
        List.of(CallTable.WORDS + ".printStackTrace(Ljava/lang/Throwable;" + print),
        RewrittenClasses.callsIn(CallRewriter.rewrite(reporter, true), "report"));
    assertEquals(
        List.of("java/io/IOException.printStackTrace(" + print),
        RewrittenClasses.callsIn(CallRewriter.rewrite(reporter, false), "report"));
  }

  @Test
  public void waitsOfARewrittenClassTakeVirtualTime() throws Exception {
    Class<?> type =
        RewrittenClasses.load(
            Sleeper.class, CallRewriter.rewrite(RewrittenClasses.bytesOf(Sleeper.class), true));
    TestWorld world =
        TestWorld.run(
            it -> {
              Object time = ((Callable<?>) type.getConstructor().newInstance()).call();
              it.log(String.valueOf(time));
            });
    assertEquals(1_500, world.clock.millis());
    assertEquals(List.of("1704067201500"), world.log);
  }

  @Test
  public void methodsThatAClassInheritsFromThreadAreReplacedToo() throws Exception {
    List<String> calls =
        RewrittenClasses.callsIn(
            CallRewriter.rewrite(RewrittenClasses.bytesOf(Napper.class), true), "nap");
    assertEquals(
        List.of(
            CallTable.BLOCKING + ".sleep(J)V",
            CallTable.BLOCKING + ".isAlive(Ljava/lang/Thread;)Z",
            CallTable.BLOCKING + ".sleep(JI)V"),
        calls);
  }

  @Test
  public void aClassLoaderWithoutAParentGetsTheAppsSystem() throws Exception {
    byte[] orphan = RewrittenClasses.bytesOf(Orphan.class);
    assertEquals(
        List.of(
            "dev/retap/agent/device/app/AppCalls.systemClassLoader()Ljava/lang/ClassLoader;",
            "java/lang/ClassLoader.<init>(Ljava/lang/ClassLoader;)V"),
        RewrittenClasses.callsIn(CallRewriter.rewrite(orphan, true), "<init>"));
    assertEquals(
        List.of("java/lang/ClassLoader.<init>()V"),
        RewrittenClasses.callsIn(CallRewriter.rewrite(orphan, false), "<init>"));
  }

  @Test
  public void onlyTheAppIsKeptFromEndingTheProcess() throws Exception {
    byte[] quitter = RewrittenClasses.bytesOf(Quitter.class);
    String exit = "java/lang/System.exit(I)V";
    List<String> inApp = RewrittenClasses.callsIn(CallRewriter.rewrite(quitter, true), "quit");
    assertEquals(1, inApp.size());
    assertTrue(inApp.get(0), inApp.get(0).endsWith("AppCalls.exit(I)V"));
    assertEquals(
        List.of(exit), RewrittenClasses.callsIn(CallRewriter.rewrite(quitter, false), "quit"));
  }

  @Test
  public void aCallOfTheParentsHashCodeStaysButGetsAHashFirst() throws Exception {
    byte[] rewritten = CallRewriter.rewrite(RewrittenClasses.bytesOf(Quitter.class), true);
    assertEquals(
        List.of(
            "dev/retap/agent/world/IdentityHashes.ensureHash(Ljava/lang/Object;)V",
            "java/lang/Object.hashCode()I"),
        RewrittenClasses.callsIn(rewritten, "hashCode"));
  }

  @Test
  public void whateverAnAppAsksForItsHashCodeGetsAHashFirst() throws Exception {
    byte[] rewritten = CallRewriter.rewrite(RewrittenClasses.bytesOf(Quitter.class), true);
    List<String> calls = RewrittenClasses.callsIn(rewritten, "hashOf");
    assertEquals(
        "dev/retap/agent/world/IdentityHashes.ensureHash(Ljava/lang/Object;)V", calls.get(0));
    assertTrue(calls.get(1).endsWith("Quitter.hashCode()I"));
  }

  @Test
  public void loopsAreCountedInTheAppAlone() throws Exception {
    byte[] looper = RewrittenClasses.bytesOf(Looper.class);
    assertEquals(
        List.of(BLOCKING + "countLoop()V"),
        RewrittenClasses.callsIn(CallRewriter.rewrite(looper, true), "loop"));
    assertEquals(List.of(), RewrittenClasses.callsIn(CallRewriter.rewrite(looper, false), "loop"));
  }

  @Test
  public void aSynchronizedMethodTellsThatItHasTheMonitor() throws Exception {
    byte[] rewritten = CallRewriter.rewrite(RewrittenClasses.bytesOf(Looper.class), false);
    assertEquals(
        List.of(BLOCKING + "monitorWanted(Ljava/lang/Object;)V", BLOCKING + "monitorEntered()V"),
        RewrittenClasses.callsIn(rewritten, "lock"));
  }

  @Test
  public void aThreadWaitsForItsFirstTurn() throws Exception {
    byte[] worker = RewrittenClasses.bytesOf(Worker.class);
    for (boolean inApp : new boolean[] {true, false}) {
      assertEquals(
          List.of(BLOCKING + "awaitFirstTurn()V"),
          RewrittenClasses.callsIn(CallRewriter.rewrite(worker, inApp), "run"));
    }
  }

  @Test
  public void theFrameworkRegistersItsStaticCollections() throws Exception {
    byte[] keeper = RewrittenClasses.bytesOf(Keeper.class);
    String register =
        "dev/retap/agent/world/memory/StaticCollections.register(Ljava/lang/Object;)V";
    List<String> calls = RewrittenClasses.callsIn(CallRewriter.rewrite(keeper, false), "<clinit>");
    assertEquals(1, calls.stream().filter(register::equals).count());
    assertFalse(
        RewrittenClasses.callsIn(CallRewriter.rewrite(keeper, true), "<clinit>")
            .contains(register));
  }
}
