// Calls of the JDK that must not reach it from the app's threads, and what takes their place: time,
// blocking, waking and hash codes. One table for the app's classes, the framework's and the JDK's.
package dev.retap.agent;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class CallTable {
  static final String BLOCKING = "dev/retap/agent/world/Blocking";
  static final String IDENTITY = "dev/retap/agent/world/Identity";
  private static final String APP = "dev/retap/agent/device/app/AppCalls";
  private static final String FILES = "dev/retap/agent/device/app/AppFiles";

  /** Final methods of Object, which every class has and none can change. */
  private static final Map<String, String> MONITOR =
      Map.of(
          "wait()V", "await",
          "wait(J)V", "await",
          "wait(JI)V", "await",
          "notify()V", "notifyOne",
          "notifyAll()V", "notifyEvery");

  /** owner.name+descriptor, and class.name that takes its place. */
  private static final Map<String, String> EVERYWHERE =
      Map.of(
          "java/lang/System.currentTimeMillis()J", BLOCKING + ".currentTimeMillis",
          "java/lang/System.nanoTime()J", BLOCKING + ".nanoTime",
          "java/lang/Thread.sleep(J)V", BLOCKING + ".sleep",
          "java/lang/Thread.sleep(JI)V", BLOCKING + ".sleep",
          "java/lang/Thread.yield()V", BLOCKING + ".yieldTurn",
          "java/lang/Thread.isAlive()Z", BLOCKING + ".isAlive",
          "java/lang/Runtime.availableProcessors()I", BLOCKING + ".availableProcessors",
          "java/lang/System.identityHashCode(Ljava/lang/Object;)I", IDENTITY + ".of",
          "java/lang/Object.hashCode()I", IDENTITY + ".hashCode");

  private static final Map<String, String> IN_APPS = new HashMap<>(EVERYWHERE);

  static {
    IN_APPS.put("java/lang/System.exit(I)V", APP + ".exit");
    IN_APPS.put("java/lang/Runtime.exit(I)V", APP + ".exit");
    IN_APPS.put(
        "java/lang/System.getProperty(Ljava/lang/String;)Ljava/lang/String;", APP + ".property");
    IN_APPS.put(
        "java/lang/System.getProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
        APP + ".property");
    IN_APPS.put("java/lang/System.getenv()Ljava/util/Map;", APP + ".environment");
    IN_APPS.put(
        "java/lang/System.getenv(Ljava/lang/String;)Ljava/lang/String;", APP + ".environment");
    IN_APPS.put("java/lang/Runtime.halt(I)V", APP + ".exit");
    IN_APPS.put("android/os/Process.killProcess(I)V", APP + ".killProcess");
    IN_APPS.put("android/os/SystemClock.sleep(J)V", APP + ".sleep");
    IN_APPS.put("java/io/File.lastModified()J", FILES + ".lastModified");
    IN_APPS.put(
        "java/io/File.createTempFile(Ljava/lang/String;Ljava/lang/String;)Ljava/io/File;",
        FILES + ".createTempFile");
    for (String how : new String[] {"", "Ljava/io/FilenameFilter;", "Ljava/io/FileFilter;"}) {
      IN_APPS.put("java/io/File.list(" + how + ")[Ljava/lang/String;", FILES + ".list");
      IN_APPS.put("java/io/File.listFiles(" + how + ")[Ljava/io/File;", FILES + ".listFiles");
    }
  }

  /** Words of which a class file must hold one to be worth a pass. */
  static final Set<String> WORDS =
      Set.of("wait", "notify", "notifyAll", "sleep", "yield", "isAlive", "availableProcessors",
          "identityHashCode");

  private CallTable() {}

  /** Writes the call, replaced where the table says so; the receiver becomes an argument. */
  static void call(
      MethodVisitor out, boolean inApp, int opcode, String owner, String name, String descriptor,
      boolean isInterface) {
    String to = MONITOR.get(name + descriptor);
    if (to != null && opcode != Opcodes.INVOKESTATIC) {
      out.visitMethodInsn(
          Opcodes.INVOKESTATIC, BLOCKING, to, "(Ljava/lang/Object;" + descriptor.substring(1),
          false);
      return;
    }
    to = (inApp ? IN_APPS : EVERYWHERE).get(owner + "." + name + descriptor);
    if (to == null) {
      out.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    } else if (opcode == Opcodes.INVOKESPECIAL) {
      if (name.equals("hashCode")) {
        out.visitInsn(Opcodes.DUP);
        out.visitMethodInsn(
            Opcodes.INVOKESTATIC, IDENTITY, "touch", "(Ljava/lang/Object;)V", false);
      }
      out.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    } else {
      int dot = to.indexOf('.');
      String type =
          opcode == Opcodes.INVOKESTATIC
              ? descriptor
              : "(L" + owner + ";" + descriptor.substring(1);
      out.visitMethodInsn(
          Opcodes.INVOKESTATIC, to.substring(0, dot), to.substring(dot + 1), type, false);
    }
  }
}
