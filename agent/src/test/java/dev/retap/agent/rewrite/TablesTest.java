// The rewriters name methods by strings. Each name must be that of a public static method, or the
// app fails only when it gets there.
package dev.retap.agent.rewrite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.rewrite.JdkHookTable.Hook;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

public final class TablesTest {
  private static final int PUBLIC_STATIC = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC;

  /** Access flags by name+descriptor, by class. */
  private final Map<String, Map<String, Integer>> methods = new HashMap<>();

  @Test
  public void everyHookIsAMethodOfTheWorld() throws Exception {
    for (Hook hook : JdkHookTable.all()) {
      assertCallable(hook.owner(), hook.name() + hook.descriptor());
    }
  }

  @Test
  public void everyReplacementIsAMethodOfTheAgent() throws Exception {
    for (Map.Entry<String, String> entry : CallTable.inApps().entrySet()) {
      String call = entry.getKey();
      String replacement = entry.getValue();
      int dot = replacement.indexOf('.');
      String method = replacement.substring(dot + 1);
      String descriptor = call.substring(call.indexOf('('));
      String receiver = call.substring(0, call.indexOf('.'));
      String withReceiver = "(L" + receiver + ";" + descriptor.substring(1);
      Map<String, Integer> callable = methodsOf(replacement.substring(0, dot));
      assertTrue(
          call + " is replaced by " + replacement,
          isPublicStatic(callable.get(method + descriptor))
              || isPublicStatic(callable.get(method + withReceiver)));
    }
  }

  @Test
  public void everyReplacementOfAMonitorMethodExists() throws Exception {
    for (String parameters : new String[] {"", "J", "JI"}) {
      assertCallable(CallTable.BLOCKING, "await(Ljava/lang/Object;" + parameters + ")V");
    }
    assertCallable(CallTable.BLOCKING, "notifyOne(Ljava/lang/Object;)V");
    assertCallable(CallTable.BLOCKING, "notifyEvery(Ljava/lang/Object;)V");
    assertCallable(CallTable.IDENTITY, "ensureHash(Ljava/lang/Object;)V");
  }

  @Test
  public void everyMethodThatAPassInsertsExists() throws Exception {
    for (String name : new String[] {"awaitFirstTurn", "monitorEntered", "countLoop"}) {
      assertCallable(CallTable.BLOCKING, name + "()V");
    }
    String world = JdkHookTable.WORLD;
    assertCallable(world + "memory/StaticCollections", "register(Ljava/lang/Object;)V");
    assertCallable(world + "Blocking", "threadStarting(Ljava/lang/Thread;)V");
    assertCallable(world + "Blocking", "sinceEpochSecond(J)J");
    assertCallable(world + "Scheduler", "isAppThread()Z");
    assertCallable(world + "WorldRandom", "nextDouble()D");
    assertCallable(world + "WorldRandom", "fill([B)V");
    assertCallable(world + "WorldRandom", "bytes(I)[B");
    assertCallable(world + "WorldRandom", "uniquifier()J");
    assertCallable(world + "WorldRandom", "randomSeed()J");
    assertCallable(world + "WorldRandom", "seedThread()V");
    assertCallable(CallTable.REFERENCES, "created(Ljava/lang/ref/Reference;Ljava/lang/Object;)V");
    for (String text : new String[] {"getMessage", "getLocalizedMessage", "toString"}) {
      assertCallable(CallTable.WORDS, text + "(Ljava/lang/Throwable;)Ljava/lang/String;");
    }
    for (String out : new String[] {"Ljava/io/PrintStream;", "Ljava/io/PrintWriter;"}) {
      assertCallable(CallTable.WORDS, "printStackTrace(Ljava/lang/Throwable;" + out + ")V");
    }
    assertCallable(PatternHooks.ICU, "checkFlags(I)V");
    assertCallable(PatternHooks.ICU, "compileFlags(I)I");
    assertCallable(PatternHooks.ICU, "givenFlags(II)I");
    assertCallable(PatternHooks.ICU, "translate(Ljava/lang/String;I)Ljava/lang/String;");
  }

  @Test
  public void everyHookedClassOfTheJdkHasAHookedMethod() throws Exception {
    Map<String, Boolean> found = new HashMap<>();
    for (String method : JdkHookTable.methods()) {
      int dot = method.indexOf('.');
      String type = method.substring(0, dot);
      String name = method.substring(dot + 1, method.indexOf('('));
      if (!type.equals(JdkHookTable.LOG)) {
        // JDKs differ in descriptors, so one of those in the table must fit.
        boolean exists = methodsOf(type).containsKey(method.substring(dot + 1));
        found.merge(type + "." + name, exists, Boolean::logicalOr);
      }
    }
    assertEquals(
        Set.of(), found.keySet().stream().filter(it -> !found.get(it)).collect(Collectors.toSet()));
  }

  @Test
  public void everyGuardedMethodExists() throws Exception {
    assertCallable(GuardedCalls.GUARD, "check(Ljava/lang/String;)V");
    for (String method : GuardedCalls.methods()) {
      int dot = method.indexOf('.');
      String name = method.substring(dot + 1) + "(";
      assertTrue(
          method,
          methodsOf(method.substring(0, dot)).keySet().stream()
              .anyMatch(it -> it.startsWith(name)));
    }
  }

  @Test
  public void everyMethodWithAPathExists() throws Exception {
    for (String method : PathHookTable.methods()) {
      int dot = method.indexOf('.');
      assertTrue(
          method, methodsOf(method.substring(0, dot)).containsKey(method.substring(dot + 1)));
    }
  }

  @Test
  public void theBootLoaderGetsEveryClassOfTheWorld() throws Exception {
    Path world =
        Path.of(ClassLoader.getSystemResource(JdkHookTable.WORLD + "World.class").toURI())
            .getParent();
    Set<String> compiled = new TreeSet<>();
    try (Stream<Path> files = Files.walk(world)) {
      files
          .map(file -> world.relativize(file).toString())
          .filter(name -> name.endsWith(".class"))
          .forEach(name -> compiled.add(name.substring(0, name.length() - ".class".length())));
    }
    // The JDK does not call the console.
    compiled.remove("jdk/Console");
    assertEquals(compiled, new TreeSet<>(Set.of(WorldAgent.WORLD_CLASSES)));
  }

  private void assertCallable(String type, String method) throws IOException {
    assertTrue(type + "." + method, isPublicStatic(methodsOf(type).get(method)));
  }

  private static boolean isPublicStatic(Integer access) {
    return access != null && (access & PUBLIC_STATIC) == PUBLIC_STATIC;
  }

  private Map<String, Integer> methodsOf(String type) throws IOException {
    Map<String, Integer> known = methods.get(type);
    if (known != null) {
      return known;
    }
    Map<String, Integer> found = new HashMap<>();
    methods.put(type, found);
    try (InputStream in = ClassLoader.getSystemResourceAsStream(type + ".class")) {
      assertNotNull(type, in);
      new ClassReader(in)
          .accept(
              new ClassVisitor(Opcodes.ASM9) {
                @Override
                public MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    String signature,
                    String[] exceptions) {
                  found.put(name + descriptor, access);
                  return null;
                }
              },
              ClassReader.SKIP_CODE);
    }
    return found;
  }
}
