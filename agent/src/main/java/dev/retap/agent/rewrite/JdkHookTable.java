// The table of hooks: methods of the JDK (and of the host's log) that must first call the world. A
// hook that returns a boolean makes the method return if it is true. A hook that returns an object
// replaces its first argument.
package dev.retap.agent.rewrite;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

final class JdkHookTable {
  static final String WORLD = "dev/retap/agent/world/";
  static final String LOG = "org/robolectric/shadows/ShadowLog";
  private static final String ENSURE_HASH = "IdentityHashes.ensureHash(Ljava/lang/Object;)V";

  /**
   * A call put before the first line of a method.
   *
   * @param slots the local variables that are the arguments
   */
  record Hook(int[] slots, String owner, String name, String descriptor) {}

  /** Hooks by class.method+descriptor. */
  private static final Map<String, Hook> HOOKS = new HashMap<>();

  private static final Set<String> HOOKED_CLASSES = new HashSet<>();

  static {
    addThreads();
    addHashCodes();
    addNetwork();
    addFiles();
    addStatics();
    addWatches();
    add(
        "java/util/Formatter.format(Ljava/util/Locale;Ljava/lang/String;[Ljava/lang/Object;)"
            + "Ljava/util/Formatter;",
        "jdk/FormatStrings.relax(Ljava/lang/String;)Ljava/lang/String;",
        2);
    // The garbage collector's threads log at moments that no run can repeat.
    add(
        LOG + ".addLog(ILjava/lang/String;Ljava/lang/String;Ljava/lang/Throwable;)I",
        "jdk/LogFilter.isUnwanted()Z");
  }

  private JdkHookTable() {}

  /** Returns the hook of a method, or null. */
  static Hook find(String type, String method, String descriptor) {
    return HOOKS.get(type + "." + method + descriptor);
  }

  static boolean hasHooks(String type) {
    return HOOKED_CLASSES.contains(type);
  }

  static Collection<Hook> all() {
    return HOOKS.values();
  }

  /** Returns the hooked methods as class.method+descriptor. */
  static Set<String> methods() {
    return HOOKS.keySet();
  }

  private static void addThreads() {
    String locks = "java/util/concurrent/locks/LockSupport.";
    add(locks + "park(Ljava/lang/Object;)V", "Blocking.park()Z");
    add(locks + "park()V", "Blocking.park()Z");
    add(locks + "parkNanos(Ljava/lang/Object;J)V", "Blocking.parkNanos(J)Z", 1);
    add(locks + "parkNanos(J)V", "Blocking.parkNanos(J)Z", 0);
    add(locks + "parkUntil(Ljava/lang/Object;J)V", "Blocking.parkUntil(J)Z", 1);
    add(locks + "parkUntil(J)V", "Blocking.parkUntil(J)Z", 0);
    add(locks + "unpark(Ljava/lang/Thread;)V", "Blocking.unpark(Ljava/lang/Thread;)Z", 0);
    add("java/lang/Thread.interrupt()V", "Blocking.interrupt(Ljava/lang/Thread;)Z", 0);
    add(
        "java/lang/Thread.dispatchUncaughtException(Ljava/lang/Throwable;)V",
        "UncaughtExceptions.report(Ljava/lang/Thread;Ljava/lang/Throwable;)Z",
        0,
        1);
    for (String refused : new String[] {"stop", "suspend", "resume"}) {
      add("java/lang/Thread." + refused + "()V", "jdk/ThreadReach.refuse()V");
    }
    for (String end : new String[] {"exit", "halt"}) {
      add("java/lang/Runtime." + end + "(I)V", "jdk/ProcessExit.endsApp(I)Z", 1);
    }
    add("java/lang/Thread.exit()V", "Blocking.threadEnded(Ljava/lang/Thread;)V", 0);
    add("java/lang/Thread.run()V", "Blocking.awaitFirstTurn()V");
    add("java/util/TimerThread.run()V", "Blocking.awaitFirstTurn()V");
    add("java/util/concurrent/ForkJoinWorkerThread.run()V", "Blocking.awaitFirstTurn()V");
  }

  private static void addHashCodes() {
    add("java/lang/Object.toString()Ljava/lang/String;", ENSURE_HASH, 0);
    add("java/util/HashMap.hash(Ljava/lang/Object;)I", ENSURE_HASH, 0);
    add("java/util/WeakHashMap.hash(Ljava/lang/Object;)I", ENSURE_HASH, 1);
    add("java/util/IdentityHashMap.hash(Ljava/lang/Object;I)I", ENSURE_HASH, 0);
    String table = "java/util/concurrent/ConcurrentHashMap.";
    add(table + "get(Ljava/lang/Object;)Ljava/lang/Object;", ENSURE_HASH, 1);
    add(table + "putVal(Ljava/lang/Object;Ljava/lang/Object;Z)Ljava/lang/Object;", ENSURE_HASH, 1);
    add(
        table
            + "computeIfAbsent(Ljava/lang/Object;Ljava/util/function/Function;)Ljava/lang/Object;",
        ENSURE_HASH,
        1);
    add(
        "java/util/Hashtable.put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
        ENSURE_HASH,
        1);
    add(
        "java/lang/ClassLoader.postDefineClass(Ljava/lang/Class;Ljava/security/ProtectionDomain;)V",
        ENSURE_HASH,
        1);
  }

  private static void addNetwork() {
    add(
        "java/net/InetAddress.getByName(Ljava/lang/String;)Ljava/net/InetAddress;",
        "net/Network.checkResolve(Ljava/lang/String;)V",
        0);
    add(
        "java/net/InetAddress.getAllByName(Ljava/lang/String;)[Ljava/net/InetAddress;",
        "net/Network.checkResolve(Ljava/lang/String;)V",
        0);
    add(
        "java/net/Socket.connect(Ljava/net/SocketAddress;I)V",
        "net/Network.checkConnect(Ljava/net/SocketAddress;)V",
        1);
    // The descriptors of this JDK and of newer ones.
    String[] parameters = {"Z", "", "Ljava/net/ProtocolFamily;Z", "Ljava/net/ProtocolFamily;"};
    for (String parameter : parameters) {
      for (String kind :
          new String[] {"Net.socket", "Net.serverSocket", "UnixDomainSockets.socket"}) {
        add(
            "sun/nio/ch/" + kind + "(" + parameter + ")Ljava/io/FileDescriptor;",
            "net/Network.checkOpen()V");
      }
    }
  }

  private static void addFiles() {
    add(
        "sun/nio/ch/InheritedChannel.getChannel()Ljava/nio/channels/Channel;",
        "Scheduler.isAppThread()Z");
    add(
        "java/lang/ProcessImpl.start([Ljava/lang/String;Ljava/util/Map;Ljava/lang/String;"
            + "[Ljava/lang/ProcessBuilder$Redirect;Z)Ljava/lang/Process;",
        "jdk/ChildProcesses.checkStart()V");
    for (String type : new String[] {"java/io/FileOutputStream", "java/io/RandomAccessFile"}) {
      String check = "jdk/DiskQuota.checkWrite(L" + type + ";";
      add(type + ".write(I)V", check + ")V", 0);
      add(type + ".write([B)V", check + "[B)V", 0, 1);
      add(type + ".write([BII)V", check + "I)V", 0, 3);
    }
    add(
        "java/io/RandomAccessFile.setLength(J)V",
        "jdk/DiskQuota.checkGrow(Ljava/io/RandomAccessFile;J)V",
        0,
        1);
    String channel = "sun/nio/ch/FileChannelImpl.";
    String buffer = "Ljava/nio/ByteBuffer;";
    String checkBuffer = "jdk/DiskQuota.checkWrite(Ljava/lang/Object;" + buffer + ")V";
    add(channel + "write(" + buffer + ")I", checkBuffer, 0, 1);
    add(channel + "write(" + buffer + "J)I", checkBuffer, 0, 1);
    add(
        channel + "write([" + buffer + "II)J",
        "jdk/DiskQuota.checkWrite(Ljava/lang/Object;[" + buffer + "II)V",
        0,
        1,
        2,
        3);
    add(
        channel + "transferFrom(Ljava/nio/channels/ReadableByteChannel;JJ)J",
        "jdk/DiskQuota.checkWrite(Ljava/lang/Object;J)V",
        0,
        4);
    add(
        channel + "map(Ljava/nio/channels/FileChannel$MapMode;JJ)Ljava/nio/MappedByteBuffer;",
        "jdk/DiskQuota.checkMap(Ljava/lang/Object;Ljava/lang/Object;J)V",
        0,
        1,
        4);
    add(channel + "force(Z)V", "jdk/DiskSync.skipsForce(Ljava/lang/Object;)Z", 0);
    add(
        "java/io/RandomAccessFile.<init>(Ljava/io/File;Ljava/lang/String;)V",
        "jdk/DiskSync.mode(Ljava/lang/String;)Ljava/lang/String;",
        2);
    // The JVM's own code calls this constructor when a file cannot be opened.
    add(
        "java/io/FileNotFoundException.<init>(Ljava/lang/String;Ljava/lang/String;)V",
        "jdk/PhonePaths.openFailed(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
        1,
        2);
    String checkRead = "jdk/AgentDescriptors.checkRead(Ljava/io/FileInputStream;)V";
    add("java/io/FileInputStream.read()I", checkRead, 0);
    add("java/io/FileInputStream.read([B)I", checkRead, 0);
    add("java/io/FileInputStream.read([BII)I", checkRead, 0);
    add(
        "java/io/FileDescriptor.close()V",
        "jdk/AgentDescriptors.refusesClose(Ljava/io/FileDescriptor;)Z",
        0);
  }

  /** Uses of the app's classes that rewriting does not see. */
  private static void addStatics() {
    String field = "java/lang/reflect/Field.";
    String reached = "AppStatics.reached(Ljava/lang/reflect/Field;)V";
    String object = "Ljava/lang/Object;";
    add(field + "get(" + object + ")" + object, reached, 0);
    add(field + "set(" + object + object + ")V", reached, 0);
    String[] kinds = {"Boolean", "Byte", "Char", "Short", "Int", "Long", "Float", "Double"};
    for (int i = 0; i < kinds.length; i++) {
      char type = "ZBCSIJFD".charAt(i);
      add(field + "get" + kinds[i] + "(" + object + ")" + type, reached, 0);
      add(field + "set" + kinds[i] + "(" + object + type + ")V", reached, 0);
    }
    add(
        "sun/misc/Unsafe.allocateInstance(Ljava/lang/Class;)" + object,
        "AppStatics.made(Ljava/lang/Class;)V",
        1);
    add(
        "java/io/ObjectStreamClass.newInstance()" + object,
        "AppStatics.made(Ljava/io/ObjectStreamClass;)V",
        0);
    add(
        "jdk/internal/reflect/Reflection.filterMethods(Ljava/lang/Class;"
            + "[Ljava/lang/reflect/Method;)[Ljava/lang/reflect/Method;",
        "AppStatics.visible([Ljava/lang/reflect/Method;Ljava/lang/Class;)"
            + "[Ljava/lang/reflect/Method;",
        1,
        0);
  }

  /** Tells the app's observers of files what happens to them. */
  private static void addWatches() {
    String file = "java/io/File";
    String watch = "jdk/FileWatch.";
    add(
        "java/io/FileOutputStream.open(Ljava/lang/String;Z)V",
        watch + "opening(Ljava/lang/String;Z)V",
        1,
        2);
    add("java/io/FileOutputStream.close()V", watch + "closing(Ljava/io/FileOutputStream;)V", 0);
    add(file + ".createNewFile()Z", watch + "creating(Ljava/io/File;)V", 0);
    add(file + ".delete()Z", watch + "deleting(Ljava/io/File;)V", 0);
    add(file + ".mkdir()Z", watch + "makingFolder(Ljava/io/File;)V", 0);
    add(
        file + ".renameTo(Ljava/io/File;)Z",
        watch + "renaming(Ljava/io/File;Ljava/io/File;)V",
        0,
        1);
  }

  private static void add(String method, String hook, int... slots) {
    int dot = hook.indexOf('.');
    int open = hook.indexOf('(');
    HOOKED_CLASSES.add(method.substring(0, method.indexOf('.')));
    HOOKS.put(
        method,
        new Hook(
            slots,
            WORLD + hook.substring(0, dot),
            hook.substring(dot + 1, open),
            hook.substring(open)));
  }
}
