// Started by the JVM before main (-javaagent): puts the world package where the JDK can see it and
// passes every class that blocks, wakes or draws lots through the rewriters.
package dev.retap.agent;

import dev.retap.agent.world.Network;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;

public final class WorldAgent implements ClassFileTransformer {
  private static final String WORLD = "dev/retap/agent/world/";
  private static final String[] CLASSES = {
    "Adrift", "Baton", "Blocking", "ByteQueue", "ByteQueue$1", "ByteQueue$2", "Chance", "FirstUse", "Formats", "Identity",
    "Loopback", "Memory", "Network", "PhoneSocket", "Pipe", "ProcessEnded", "Programs", "Remembered", "Serials",
    "Storage", "Timeline", "Turn", "Turn$State", "Turns", "Waker", "Watch"
  };

  /** Of the classes outside the JDK only Android's and its stand-ins run on the app's threads. */
  private static final String[] FRAMEWORK = {"android/", "com/android/", "org/robolectric/shadows/"};

  private static final List<byte[]> WORDS = new ArrayList<>();

  static {
    CallTable.WORDS.forEach(word -> WORDS.add(word.getBytes(StandardCharsets.UTF_8)));
  }

  private static final byte[] ASKING = DirectCalls.ASKING.getBytes(StandardCharsets.UTF_8);

  /** Known before the first class of the framework is loaded. */
  private static volatile ShadowedNames shadowed;

  private static volatile FrameworkArchive archive;

  private WorldAgent() {}

  static void shortenCalls(ShadowedNames names) {
    shadowed = names;
  }

  /** Spares rewriting what was rewritten before. */
  static void use(FrameworkArchive made) {
    archive = made;
  }

  public static void premain(String options, Instrumentation jvm)
      throws IOException, ReflectiveOperationException, UnmodifiableClassException {
    // One worker makes the JDK start a thread per task, which is the same on every machine.
    System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "1");
    defineWorld();
    Network.begin();
    WorldAgent agent = new WorldAgent();
    // Whatever the rewriters need is loaded now: a class must not be wanted while it is passed on.
    JdkHooks.rewrite("java/lang/Math", bytesOf("java/lang/Math"));
    CallRewriter.rewrite(bytesOf(WORLD + "Blocking"), false);
    jvm.addTransformer(agent, true);
    List<Class<?>> loaded = new ArrayList<>();
    for (Class<?> type : jvm.getAllLoadedClasses()) {
      if (type.getClassLoader() == null
          && !type.isArray()
          && JdkHooks.wants(type.getName().replace('.', '/'))
          && jvm.isModifiableClass(type)) {
        loaded.add(type);
      }
    }
    jvm.retransformClasses(loaded.toArray(new Class<?>[0]));
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
    if (name == null) {
      return null;
    }
    if (loader == null || name.equals(JdkHooks.LOG)) {
      return JdkHooks.wants(name) ? JdkHooks.rewrite(name, bytes) : null;
    }
    byte[] known = archive == null ? null : archive.rewritten(name, bytes);
    return known == null ? rewrite(name, bytes, shadowed) : known;
  }

  /** A class outside the JDK as it is to be; null if it stays as it is. */
  static byte[] rewrite(String name, byte[] bytes, ShadowedNames shadowed) {
    if (ShortCuts.wants(name)) {
      return ShortCuts.rewrite(name, bytes);
    }
    if (ThemeCopies.wants(name)) {
      return ThemeCopies.rewrite(bytes);
    }
    if (!isFramework(name)) {
      return null;
    }
    if (shadowed != null && mentions(bytes, ASKING)) {
      return CallRewriter.rewrite(bytes, shadowed);
    }
    return mentionsAny(bytes) ? CallRewriter.rewrite(bytes, false) : null;
  }

  private static boolean isFramework(String name) {
    for (String prefix : FRAMEWORK) {
      if (name.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a name of the table is in the constant pool: a tag, a length, the word. */
  private static boolean mentionsAny(byte[] bytes) {
    for (byte[] word : WORDS) {
      if (mentions(bytes, word)) {
        return true;
      }
    }
    return false;
  }

  private static boolean mentions(byte[] bytes, byte[] word) {
    next:
    for (int i = 10; i + word.length + 3 <= bytes.length; i++) {
      if (bytes[i] != 1 || bytes[i + 1] != 0 || bytes[i + 2] != word.length) {
        continue;
      }
      for (int j = 0; j < word.length; j++) {
        if (bytes[i + 3 + j] != word[j]) {
          continue next;
        }
      }
      return true;
    }
    return false;
  }

  /**
   * Defines the world's classes in the boot loader. Appending a jar to its path would do the same
   * but turns class-data sharing off for all other classes.
   */
  private static void defineWorld() throws IOException, ReflectiveOperationException {
    Object access =
        Class.forName("jdk.internal.access.SharedSecrets")
            .getMethod("getJavaLangAccess")
            .invoke(null);
    Method define =
        Class.forName("jdk.internal.access.JavaLangAccess")
            .getMethod(
                "defineClass", ClassLoader.class, String.class, byte[].class,
                ProtectionDomain.class, String.class);
    for (String name : CLASSES) {
      define.invoke(
          access, null, (WORLD + name).replace('/', '.'), bytesOf(WORLD + name), null, null);
    }
  }

  private static byte[] bytesOf(String type) throws IOException {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(type + ".class")) {
      return in.readAllBytes();
    }
  }
}
