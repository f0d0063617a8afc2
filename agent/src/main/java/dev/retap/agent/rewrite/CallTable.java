// The table of calls that must not reach the JDK from the app's threads, and of the methods that
// replace them: time, blocking, waking and hash codes. It serves the app's classes, the framework's
// and the JDK's.
package dev.retap.agent.rewrite;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class CallTable {
  static final String BLOCKING = "dev/retap/agent/world/Blocking";
  static final String IDENTITY = "dev/retap/agent/world/IdentityHashes";
  static final String REFERENCES = "dev/retap/agent/world/References";
  static final String DISK_SYNC = "dev/retap/agent/world/jdk/DiskSync";
  private static final String STATICS = "dev/retap/agent/world/AppStatics";
  private static final String APP = "dev/retap/agent/device/app/AppCalls";
  static final String WORDS = "dev/retap/agent/device/app/ArtWords";
  private static final String PROPERTIES = "dev/retap/agent/device/app/AppProperties";
  private static final String XML = "dev/retap/agent/shadow/libcore/XmlFactories";
  private static final String SQL = "dev/retap/agent/shadow/libcore/WorldSql";
  private static final String SQLITE = "org/robolectric/nativeruntime/SQLiteConnectionNatives.";
  private static final String LIBRARIES = "dev/retap/agent/device/app/NativeLibraries";
  private static final String THREADS = "dev/retap/agent/world/jdk/ThreadReach";
  private static final String HIDDEN = "dev/retap/agent/world/jdk/HiddenClasses";
  private static final String LOOK_UP = "(Ljava/lang/String;)Ljava/lang/Class;";
  private static final String FILES = "dev/retap/agent/device/app/AppFiles";
  private static final String INTERFACES = "dev/retap/agent/shadow/network/PhoneInterfaces";
  private static final String KEYS = "dev/retap/agent/device/system/keys/KeptKeys";

  /** Replacements for the final methods of Object, which every class has and none can change. */
  private static final Map<String, String> MONITOR_METHODS =
      Map.of(
          "wait()V", "await",
          "wait(J)V", "await",
          "wait(JI)V", "await",
          "notify()V", "notifyOne",
          "notifyAll()V", "notifyEvery");

  /** Replacements as class.method, by class.method+descriptor of the call. */
  private static final Map<String, String> EVERYWHERE =
      Map.ofEntries(
          Map.entry("java/lang/System.currentTimeMillis()J", BLOCKING + ".currentTimeMillis"),
          Map.entry("java/lang/System.nanoTime()J", BLOCKING + ".nanoTime"),
          Map.entry("java/lang/Thread.sleep(J)V", BLOCKING + ".sleep"),
          Map.entry("java/lang/Thread.sleep(JI)V", BLOCKING + ".sleep"),
          Map.entry("java/lang/Thread.yield()V", BLOCKING + ".yieldTurn"),
          Map.entry("java/lang/Thread.isAlive()Z", BLOCKING + ".isAlive"),
          Map.entry("java/lang/Thread.getId()J", BLOCKING + ".threadId"),
          Map.entry("java/lang/Thread.threadId()J", BLOCKING + ".threadId"),
          Map.entry("java/lang/Runtime.availableProcessors()I", BLOCKING + ".availableProcessors"),
          Map.entry("java/lang/System.identityHashCode(Ljava/lang/Object;)I", IDENTITY + ".of"),
          Map.entry("java/lang/Object.hashCode()I", IDENTITY + ".hashCode"),
          Map.entry("java/io/FileDescriptor.sync()V", DISK_SYNC + ".sync"),
          Map.entry(
              SQLITE + "nativeOpen(Ljava/lang/String;ILjava/lang/String;ZZII)J", SQL + ".open"),
          Map.entry(SQLITE + "nativePrepareStatement(JLjava/lang/String;)J", SQL + ".prepare"),
          Map.entry("java/lang/System.gc()V", REFERENCES + ".ignore"),
          Map.entry("java/lang/Runtime.gc()V", REFERENCES + ".ignore"),
          Map.entry("java/lang/System.runFinalization()V", REFERENCES + ".ignore"),
          Map.entry("java/lang/Runtime.runFinalization()V", REFERENCES + ".ignore"));

  /** Replacements in the app's own classes: those above, and calls that reach out of the app. */
  private static final Map<String, String> IN_APPS = new HashMap<>(EVERYWHERE);

  static {
    IN_APPS.put("java/lang/System.gc()V", REFERENCES + ".collectForApp");
    IN_APPS.put("java/lang/Runtime.gc()V", REFERENCES + ".collectForApp");
    IN_APPS.put("java/lang/System.nanoTime()J", BLOCKING + ".readNanoTime");
    for (String clock : new String[] {"uptimeMillis", "elapsedRealtime", "elapsedRealtimeNanos"}) {
      IN_APPS.put("android/os/SystemClock." + clock + "()J", APP + "." + clock);
    }
    IN_APPS.put("java/lang/System.exit(I)V", APP + ".exit");
    IN_APPS.put("java/lang/Runtime.exit(I)V", APP + ".exit");
    for (String method :
        new String[] {
          "getProperty(Ljava/lang/String;)Ljava/lang/String;",
          "getProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
          "setProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
          "clearProperty(Ljava/lang/String;)Ljava/lang/String;",
          "getProperties()Ljava/util/Properties;",
          "setProperties(Ljava/util/Properties;)V"
        }) {
      String name = method.substring(0, method.indexOf('('));
      IN_APPS.put("java/lang/System." + method, PROPERTIES + "." + name);
    }
    IN_APPS.put(
        "javax/xml/parsers/SAXParserFactory.newInstance()Ljavax/xml/parsers/SAXParserFactory;",
        XML + ".saxParsers");
    IN_APPS.put(
        "javax/xml/parsers/DocumentBuilderFactory.newInstance()"
            + "Ljavax/xml/parsers/DocumentBuilderFactory;",
        XML + ".documentBuilders");
    IN_APPS.put(
        "org/xml/sax/helpers/XMLReaderFactory.createXMLReader()Lorg/xml/sax/XMLReader;",
        XML + ".reader");
    IN_APPS.put("java/lang/System.getenv()Ljava/util/Map;", APP + ".environment");
    IN_APPS.put(
        "java/lang/System.getenv(Ljava/lang/String;)Ljava/lang/String;", APP + ".environment");
    IN_APPS.put(
        "java/lang/ClassLoader.getSystemClassLoader()Ljava/lang/ClassLoader;",
        APP + ".systemClassLoader");
    IN_APPS.put("java/security/KeyStore.getDefaultType()Ljava/lang/String;", APP + ".keyStoreType");
    for (String key :
        new String[] {"java/security/Key", "java/security/PrivateKey", "javax/crypto/SecretKey"}) {
      IN_APPS.put(key + ".getEncoded()[B", KEYS + ".getEncoded");
      IN_APPS.put(key + ".getFormat()Ljava/lang/String;", KEYS + ".getFormat");
    }
    IN_APPS.put("java/lang/Runtime.halt(I)V", APP + ".exit");
    addNetworkInterfaces();
    IN_APPS.put(
        "java/lang/Thread.getAllStackTraces()Ljava/util/Map;", THREADS + ".getAllStackTraces");
    String frame = "java/lang/StackTraceElement.";
    IN_APPS.put(frame + "getMethodName()Ljava/lang/String;", STATICS + ".methodName");
    IN_APPS.put(frame + "toString()Ljava/lang/String;", STATICS + ".frameText");
    IN_APPS.put("java/lang/Thread.enumerate([Ljava/lang/Thread;)I", THREADS + ".enumerate");
    IN_APPS.put("java/lang/Thread.activeCount()I", THREADS + ".activeCount");
    for (String parameters : new String[] {"([Ljava/lang/Thread;)I", "([Ljava/lang/Thread;Z)I"}) {
      IN_APPS.put("java/lang/ThreadGroup.enumerate" + parameters, THREADS + ".enumerate");
    }
    IN_APPS.put("java/lang/ThreadGroup.activeCount()I", THREADS + ".activeCount");
    IN_APPS.put(
        "java/lang/Class.forName(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;",
        HIDDEN + ".forName");
    for (String memory : new String[] {"maxMemory", "totalMemory", "freeMemory"}) {
      IN_APPS.put("java/lang/Runtime." + memory + "()J", APP + "." + memory);
    }
    for (String load : new String[] {"load", "loadLibrary"}) {
      IN_APPS.put("java/lang/System." + load + "(Ljava/lang/String;)V", LIBRARIES + "." + load);
      IN_APPS.put("java/lang/Runtime." + load + "(Ljava/lang/String;)V", LIBRARIES + "." + load);
    }
    IN_APPS.put("android/os/Process.killProcess(I)V", APP + ".killProcess");
    IN_APPS.put("android/os/SystemClock.sleep(J)V", APP + ".sleep");
    for (String size :
        new String[] {"lastModified", "getTotalSpace", "getFreeSpace", "getUsableSpace"}) {
      IN_APPS.put("java/io/File." + size + "()J", FILES + "." + size);
    }
    IN_APPS.put("android/os/SystemClock.setCurrentTimeMillis(J)Z", APP + ".setClock");
    IN_APPS.put("android/os/SystemClock.currentThreadTimeMillis()J", APP + ".threadMillis");
    IN_APPS.put("android/os/Debug.threadCpuTimeNanos()J", APP + ".threadNanos");
    IN_APPS.put(
        "java/io/File.createTempFile(Ljava/lang/String;Ljava/lang/String;)Ljava/io/File;",
        FILES + ".createTempFile");
    for (String filter : new String[] {"", "Ljava/io/FilenameFilter;"}) {
      IN_APPS.put("java/io/File.list(" + filter + ")[Ljava/lang/String;", FILES + ".list");
    }
    for (String filter : new String[] {"", "Ljava/io/FilenameFilter;", "Ljava/io/FileFilter;"}) {
      IN_APPS.put("java/io/File.listFiles(" + filter + ")[Ljava/io/File;", FILES + ".listFiles");
    }
  }

  private static void addNetworkInterfaces() {
    String type = "java/net/NetworkInterface";
    for (String method :
        new String[] {
          "getNetworkInterfaces()Ljava/util/Enumeration;",
          "networkInterfaces()Ljava/util/stream/Stream;",
          "getByName(Ljava/lang/String;)L" + type + ";",
          "getByIndex(I)L" + type + ";",
          "getByInetAddress(Ljava/net/InetAddress;)L" + type + ";",
          "isUp()Z",
          "isLoopback()Z",
          "isPointToPoint()Z",
          "supportsMulticast()Z",
          "getHardwareAddress()[B",
          "getMTU()I"
        }) {
      String name = method.substring(0, method.indexOf('('));
      IN_APPS.put(type + "." + method, INTERFACES + "." + name);
    }
  }

  /** The classes that an exception made by the virtual machine is known as when it is caught. */
  private static final Set<String> THROWN =
      Set.of(
          "java/lang/Throwable",
          "java/lang/Exception",
          "java/lang/RuntimeException",
          "java/lang/ArithmeticException",
          "java/lang/ArrayIndexOutOfBoundsException",
          "java/lang/ClassCastException",
          "java/lang/IndexOutOfBoundsException",
          "java/lang/NullPointerException",
          "java/lang/StringIndexOutOfBoundsException");

  /** The methods that tell the text of an exception. */
  private static final Set<String> TEXTS = Set.of("getMessage", "getLocalizedMessage", "toString");

  /** The methods that print an exception where an app can read it. */
  private static final Set<String> PRINTS =
      Set.of("printStackTrace(Ljava/io/PrintStream;)V", "printStackTrace(Ljava/io/PrintWriter;)V");

  /** Names of replaced methods. A framework class that mentions none of them needs no pass. */
  static final Set<String> METHOD_NAMES =
      Set.of(
          "wait",
          "notify",
          "notifyAll",
          "sleep",
          "yield",
          "isAlive",
          "availableProcessors",
          "identityHashCode",
          "hashCode",
          "getId",
          "threadId",
          "gc",
          "runFinalization",
          "sync",
          "nativePrepareStatement");

  private CallTable() {}

  /** Returns all replacements in the app's classes as class.method, by class.method+descriptor. */
  static Map<String, String> inApps() {
    return IN_APPS;
  }

  /** Returns true for the constructor of a class loader without a parent of its own. */
  private static boolean isPlainClassLoader(String owner, String name, String descriptor) {
    return owner.equals("java/lang/ClassLoader")
        && name.equals("<init>")
        && descriptor.equals("()V");
  }

  /** Returns true for a call that finds a class by its name, the last argument. */
  private static boolean isLookUp(String owner, String name, String descriptor) {
    return descriptor.equals(LOOK_UP)
        && (name.equals("loadClass") || name.equals("forName") && owner.equals("java/lang/Class"));
  }

  /** Writes a call, replaced if the table says so; the receiver becomes the first argument. */
  static void write(
      MethodVisitor out,
      boolean inApp,
      int opcode,
      String owner,
      String name,
      String descriptor,
      boolean isInterface) {
    String replacement = MONITOR_METHODS.get(name + descriptor);
    if (replacement != null && opcode != Opcodes.INVOKESTATIC) {
      out.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          BLOCKING,
          replacement,
          "(Ljava/lang/Object;" + descriptor.substring(1),
          false);
      return;
    }
    if (inApp
        && opcode == Opcodes.INVOKEVIRTUAL
        && TEXTS.contains(name)
        && THROWN.contains(owner)
        && descriptor.equals("()Ljava/lang/String;")) {
      out.visitMethodInsn(
          Opcodes.INVOKESTATIC, WORDS, name, "(Ljava/lang/Throwable;)Ljava/lang/String;", false);
      return;
    }
    if (inApp
        && opcode == Opcodes.INVOKEVIRTUAL
        && PRINTS.contains(name + descriptor)
        && owner.startsWith("java/")) {
      out.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          WORDS,
          name,
          "(Ljava/lang/Throwable;" + descriptor.substring(1),
          false);
      return;
    }
    if (inApp && opcode == Opcodes.INVOKESPECIAL && isPlainClassLoader(owner, name, descriptor)) {
      // The parent would be the loader of the host's classes.
      out.visitMethodInsn(
          Opcodes.INVOKESTATIC, APP, "systemClassLoader", "()Ljava/lang/ClassLoader;", false);
      out.visitMethodInsn(opcode, owner, name, "(Ljava/lang/ClassLoader;)V", isInterface);
      return;
    }
    if (inApp && isLookUp(owner, name, descriptor)) {
      out.visitMethodInsn(
          Opcodes.INVOKESTATIC, HIDDEN, "check", "(Ljava/lang/String;)Ljava/lang/String;", false);
    }
    if (inApp) {
      GuardedCalls.write(out, owner, name);
    }
    replacement = (inApp ? IN_APPS : EVERYWHERE).get(owner + "." + name + descriptor);
    if (replacement == null) {
      if (inApp && mayAskForIdentity(opcode, owner, name, descriptor)) {
        ensureHash(out);
      }
      out.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    } else if (opcode == Opcodes.INVOKESPECIAL) {
      if (name.equals("hashCode")) {
        ensureHash(out);
      }
      out.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    } else {
      int dot = replacement.indexOf('.');
      String type =
          opcode == Opcodes.INVOKESTATIC
              ? descriptor
              : "(L" + owner + ";" + descriptor.substring(1);
      out.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          replacement.substring(0, dot),
          replacement.substring(dot + 1),
          type,
          false);
    }
  }

  /** Returns true for a call of hashCode on a class that may have inherited it from Object. */
  private static boolean mayAskForIdentity(
      int opcode, String owner, String name, String descriptor) {
    return name.equals("hashCode")
        && descriptor.equals("()I")
        && opcode != Opcodes.INVOKESTATIC
        && !owner.equals("java/lang/String");
  }

  private static void ensureHash(MethodVisitor out) {
    out.visitInsn(Opcodes.DUP);
    out.visitMethodInsn(
        Opcodes.INVOKESTATIC, IDENTITY, "ensureHash", "(Ljava/lang/Object;)V", false);
  }
}
