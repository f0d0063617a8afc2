// The JVM agent, which the JVM starts before main (-javaagent). It defines the classes of the world
// package where the JDK can see them, and passes every class that blocks, wakes or draws random
// numbers through the rewriters.
package dev.retap.agent.rewrite;

import dev.retap.agent.rewrite.fixes.NegativeZeroFix;
import dev.retap.agent.rewrite.fixes.ThemeCopyFix;
import dev.retap.agent.world.IdentityHashes;
import dev.retap.agent.world.ThreadGroups;
import dev.retap.agent.world.memory.UnsafeMemory;
import dev.retap.agent.world.net.Network;
import dev.retap.agent.world.net.PhoneChannels;
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
import java.util.Map;
import java.util.Set;

public final class WorldAgent implements ClassFileTransformer {
  private static final String WORLD = "dev/retap/agent/world/";

  /** The classes of the world, which the boot loader must know. */
  static final String[] WORLD_CLASSES = {
    "AppStatics",
    "AppStatics$Initialization",
    "AppThread",
    "AppThread$State",
    "Baton",
    "BatonInspector",
    "Blocking",
    "ClockReadings",
    "Decisions",
    "Decisions$Candidate",
    "Decisions$Decision",
    "Decisions$Plan",
    "Decisions$Start",
    "IdentityHashes",
    "MissingCalls",
    "MissingCalls$Refusal",
    "MonitorNotifier",
    "ProcessEnded",
    "References",
    "ReturningThreads",
    "Scheduler",
    "ThreadGroups",
    "ThreadNameCounters",
    "UncaughtExceptions",
    "VirtualClock",
    "World",
    "WorldRandom",
    "WorldRandom$Streams",
    "jdk/AgentDescriptors",
    "jdk/ChildProcesses",
    "jdk/DiskQuota",
    "jdk/DiskSync",
    "jdk/FileTimes",
    "jdk/FileWatch",
    "jdk/FileWatch$Event",
    "jdk/FileWatch$WatchedPath",
    "jdk/FormatStrings",
    "jdk/HiddenClasses",
    "jdk/LogFilter",
    "jdk/NativeMemory",
    "jdk/OpenMembers",
    "jdk/PhonePaths",
    "jdk/SharedGuard",
    "jdk/SharedGuard$1",
    "jdk/ProcessExit",
    "jdk/ThreadReach",
    "libcore/Callers",
    "libcore/IcuExpression",
    "libcore/IcuExpression$Group",
    "libcore/IcuPattern",
    "libcore/IcuProperty",
    "libcore/IcuReader",
    "libcore/IcuSet",
    "memory/ObjectHeader",
    "memory/StaticCollections",
    "memory/UnsafeMemory",
    // A class comes after the types that it extends.
    "net/SelectableSource",
    "net/ByteQueue",
    "net/ByteQueue$1",
    "net/ByteQueue$2",
    "net/ChannelOptions",
    "net/ChannelServerSocket",
    "net/ChannelSocket",
    "net/Network",
    "net/OutsideConnections",
    "net/OutsideConnections$Connection",
    "net/OutsideConnections$Transfer",
    "net/PhoneChannels",
    "net/PhonePipe",
    "net/PhonePipe$Sink",
    "net/PhonePipe$Source",
    "net/PhoneSelectionKey",
    "net/PhoneSelector",
    "net/PhoneServerChannel",
    "net/PhoneSocket",
    "net/PhoneSocketChannel",
    "net/PortTable"
  };

  /** Outside the JDK only Android's classes and their shadows run on the app's threads. */
  private static final String[] FRAMEWORK = {
    "android/", "com/android/", "org/robolectric/shadows/"
  };

  private static final List<byte[]> REPLACED_NAMES = new ArrayList<>();

  static {
    CallTable.METHOD_NAMES.forEach(
        name -> REPLACED_NAMES.add(name.getBytes(StandardCharsets.UTF_8)));
  }

  private static final byte[] BOOTSTRAP =
      DirectCalls.ROBOLECTRIC_BOOTSTRAP.getBytes(StandardCharsets.UTF_8);

  /** Set before the first class of the framework is loaded. */
  private static volatile ShadowedMethods shadowed;

  private static volatile FrameworkArchive archive;

  WorldAgent() {}

  /** Sets the methods that shadows may replace: the framework calls all others directly. */
  public static void setShadowedMethods(ShadowedMethods methods) {
    shadowed = methods;
  }

  /** Sets the archive from which classes are taken that were rewritten before. */
  public static void setArchive(FrameworkArchive made) {
    archive = made;
  }

  /** Returns the archive, null if there is none. */
  public static FrameworkArchive archive() {
    return archive;
  }

  public static void premain(String options, Instrumentation jvm)
      throws IOException, ReflectiveOperationException, UnmodifiableClassException {
    // With one worker the JDK starts a thread per task, which is the same on every machine.
    System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "1");
    defineWorld();
    openInnerPackages(jvm);
    CollectionOrder.fix();
    Network.installSockets();
    PhoneChannels.install();
    // Its first use says which threads are the host's.
    ThreadGroups.host();
    WorldAgent agent = new WorldAgent();
    // All classes that the rewriters need are loaded now: none may be loaded while another is
    // rewritten.
    JdkHooks.rewrite("java/lang/Math", bytesOf("java/lang/Math"));
    JdkHooks.rewrite(PatternHooks.TYPE, bytesOf(PatternHooks.TYPE));
    CallRewriter.rewrite(bytesOf(WORLD + "Blocking"), false);
    jvm.addTransformer(agent, true);
    List<Class<?>> loaded = new ArrayList<>();
    for (Class<?> type : jvm.getAllLoadedClasses()) {
      IdentityHashes.ensureHash(type);
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
    if (loader == null) {
      return JdkHooks.wants(name) ? JdkHooks.rewrite(name, bytes) : null;
    }
    if (archive != null) {
      if (loader instanceof FrameworkArchive.Reader reader && reader.archive().contains(name)) {
        return null;
      }
      byte[] known = archive.rewritten(name, bytes);
      if (known != null) {
        return known;
      }
    }
    return rewriteOutsideJdk(name, bytes, shadowed);
  }

  /** Rewrites a class outside the JDK. Returns null if it stays as it is. */
  static byte[] rewriteOutsideJdk(String name, byte[] bytes, ShadowedMethods shadowed) {
    if (RememberingClass.wants(name)) {
      byte[] rewritten = rewrite(name, bytes, shadowed);
      return RememberingClass.rewrite(name, rewritten == null ? bytes : rewritten);
    }
    if (name.equals(PathHookTable.SQLITE)) {
      return CallRewriter.rewrite(JdkHooks.rewrite(name, bytes), false);
    }
    if (name.equals(JdkHookTable.LOG)) {
      return JdkHooks.wants(name) ? JdkHooks.rewrite(name, bytes) : null;
    }
    return rewrite(name, bytes, shadowed);
  }

  /** Rewrites a class that has no hooks of its own. Returns null if it stays as it is. */
  static byte[] rewrite(String name, byte[] bytes, ShadowedMethods shadowed) {
    if (MethodReplacer.wants(name)) {
      return MethodReplacer.rewrite(name, bytes);
    }
    if (ThemeCopyFix.wants(name)) {
      return ThemeCopyFix.rewrite(bytes);
    }
    if (NegativeZeroFix.wants(name)) {
      return NegativeZeroFix.rewrite(bytes);
    }
    if (!isFramework(name)) {
      return null;
    }
    if (shadowed != null && mentions(bytes, BOOTSTRAP)) {
      return CallRewriter.rewrite(bytes, shadowed);
    }
    return mentionsReplacedName(bytes) ? CallRewriter.rewrite(bytes, false) : null;
  }

  private static boolean isFramework(String name) {
    for (String prefix : FRAMEWORK) {
      if (name.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  private static boolean mentionsReplacedName(byte[] bytes) {
    for (byte[] name : REPLACED_NAMES) {
      if (mentions(bytes, name)) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if the constant pool holds the word: a tag, a length, the word. */
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
                "defineClass",
                ClassLoader.class,
                String.class,
                byte[].class,
                ProtectionDomain.class,
                String.class);
    for (String name : WORLD_CLASSES) {
      define.invoke(
          access, null, (WORLD + name).replace('/', '.'), bytesOf(WORLD + name), null, null);
    }
  }

  /** Lets the world's classes, and nobody else, use what newer JDKs keep for themselves. */
  private static void openInnerPackages(Instrumentation jvm) {
    Set<Module> world = Set.of(UnsafeMemory.class.getModule());
    jvm.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of("jdk.internal.misc", world, "sun.nio.ch", world),
        Map.of(),
        Set.of(),
        Map.of());
  }

  private static byte[] bytesOf(String type) throws IOException {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(type + ".class")) {
      return in.readAllBytes();
    }
  }
}
