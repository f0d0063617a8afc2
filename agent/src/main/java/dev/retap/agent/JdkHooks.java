// Where the JDK (and the host's log) must ask the world: a line put before the first of a method, by class. Most
// are one call; a hook that says it did the work makes the method return, one that gives an object back replaces
// its first argument.
package dev.retap.agent;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

final class JdkHooks {
  private static final String WORLD = "dev/retap/agent/world/";
  static final String LOG = "org/robolectric/shadows/ShadowLog";
  private static final String TOUCH = "Identity.touch(Ljava/lang/Object;)V";

  /** class.method+descriptor, the arguments' slots, and the hook. */
  private record Hook(int[] slots, String owner, String name, String descriptor) {}

  private static final Map<String, Hook> FIRST = new HashMap<>();

  /** JDK classes in which the table of calls holds too. */
  private static final Set<String> CALLS =
      Set.of("java/util/Timer", "java/util/TimerThread", "java/util/Date", "java/util/Calendar",
          "java/util/GregorianCalendar", "java/io/PipedInputStream", "java/io/PipedOutputStream",
          "java/io/PipedReader", "java/io/PipedWriter");

  /** Classes with a hook of their own. */
  private static final Set<String> HOOKED =
      new HashSet<>(
          Set.of("java/util/Random", "java/lang/Math", "java/util/Collections", "java/time/Clock",
              "java/time/Clock$SystemClock", "java/security/SecureRandom"));

  static {
    String locks = "java/util/concurrent/locks/LockSupport.";
    add(locks + "park(Ljava/lang/Object;)V", "Blocking.park()Z");
    add(locks + "park()V", "Blocking.park()Z");
    add(locks + "parkNanos(Ljava/lang/Object;J)V", "Blocking.parkNanos(J)Z", 1);
    add(locks + "parkNanos(J)V", "Blocking.parkNanos(J)Z", 0);
    add(locks + "parkUntil(Ljava/lang/Object;J)V", "Blocking.parkUntil(J)Z", 1);
    add(locks + "parkUntil(J)V", "Blocking.parkUntil(J)Z", 0);
    add(locks + "unpark(Ljava/lang/Thread;)V", "Blocking.unpark(Ljava/lang/Thread;)Z", 0);
    add("java/lang/Thread.interrupt()V", "Blocking.interrupt(Ljava/lang/Thread;)Z", 0);
    add("java/lang/Thread.exit()V", "Blocking.ended(Ljava/lang/Thread;)V", 0);
    add("java/lang/Thread.run()V", "Blocking.arrive()V");
    add("java/util/TimerThread.run()V", "Blocking.arrive()V");
    add("java/util/concurrent/ForkJoinWorkerThread.run()V", "Blocking.arrive()V");
    add("java/lang/Object.toString()Ljava/lang/String;", TOUCH, 0);
    add("java/util/HashMap.hash(Ljava/lang/Object;)I", TOUCH, 0);
    add("java/util/WeakHashMap.hash(Ljava/lang/Object;)I", TOUCH, 1);
    add("java/util/IdentityHashMap.hash(Ljava/lang/Object;I)I", TOUCH, 0);
    String table = "java/util/concurrent/ConcurrentHashMap.";
    add(table + "get(Ljava/lang/Object;)Ljava/lang/Object;", TOUCH, 1);
    add(table + "putVal(Ljava/lang/Object;Ljava/lang/Object;Z)Ljava/lang/Object;", TOUCH, 1);
    add(table + "computeIfAbsent(Ljava/lang/Object;Ljava/util/function/Function;)Ljava/lang/Object;",
        TOUCH, 1);
    add("java/util/Hashtable.put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;", TOUCH, 1);
    add("java/net/InetAddress.getByName(Ljava/lang/String;)Ljava/net/InetAddress;",
        "Network.resolving(Ljava/lang/String;)V", 0);
    add("java/net/InetAddress.getAllByName(Ljava/lang/String;)[Ljava/net/InetAddress;",
        "Network.resolving(Ljava/lang/String;)V", 0);
    add("java/net/Socket.connect(Ljava/net/SocketAddress;I)V",
        "Network.connecting(Ljava/net/SocketAddress;)V", 1);
    // As this and as newer JDKs have them.
    for (String how : new String[] {"Z", "", "Ljava/net/ProtocolFamily;Z", "Ljava/net/ProtocolFamily;"}) {
      for (String kind : new String[] {"Net.socket", "Net.serverSocket", "UnixDomainSockets.socket"}) {
        add("sun/nio/ch/" + kind + "(" + how + ")Ljava/io/FileDescriptor;", "Network.opening()V");
      }
    }
    add("sun/nio/ch/InheritedChannel.getChannel()Ljava/nio/channels/Channel;", "Chance.mine()Z");
    add("java/lang/ProcessImpl.start([Ljava/lang/String;Ljava/util/Map;Ljava/lang/String;"
        + "[Ljava/lang/ProcessBuilder$Redirect;Z)Ljava/lang/Process;", "Programs.starting()V");
    for (String type : new String[] {"java/io/FileOutputStream", "java/io/RandomAccessFile"}) {
      String writing = "Storage.writing(L" + type + ";";
      add(type + ".write(I)V", writing + ")V", 0);
      add(type + ".write([B)V", writing + "[B)V", 0, 1);
      add(type + ".write([BII)V", writing + "I)V", 0, 3);
    }
    add("java/io/RandomAccessFile.setLength(J)V",
        "Storage.growing(Ljava/io/RandomAccessFile;J)V", 0, 1);
    String channel = "sun/nio/ch/FileChannelImpl.";
    String buffer = "Ljava/nio/ByteBuffer;";
    add(channel + "write(" + buffer + ")I", "Storage.writing(Ljava/lang/Object;" + buffer + ")V", 0, 1);
    add(channel + "write(" + buffer + "J)I", "Storage.writing(Ljava/lang/Object;" + buffer + ")V", 0, 1);
    add(channel + "write([" + buffer + "II)J",
        "Storage.writing(Ljava/lang/Object;[" + buffer + "II)V", 0, 1, 2, 3);
    add(channel + "transferFrom(Ljava/nio/channels/ReadableByteChannel;JJ)J",
        "Storage.writing(Ljava/lang/Object;J)V", 0, 4);
    add(channel + "map(Ljava/nio/channels/FileChannel$MapMode;JJ)Ljava/nio/MappedByteBuffer;",
        "Storage.mapping(Ljava/lang/Object;Ljava/lang/Object;J)V", 0, 1, 4);
    String reading = "Pipe.reading(Ljava/io/FileInputStream;)V";
    add("java/io/FileInputStream.read()I", reading, 0);
    add("java/io/FileInputStream.read([B)I", reading, 0);
    add("java/io/FileInputStream.read([BII)I", reading, 0);
    add("java/io/FileDescriptor.close()V", "Pipe.closing(Ljava/io/FileDescriptor;)Z", 0);
    add("java/util/Formatter.format(Ljava/util/Locale;Ljava/lang/String;[Ljava/lang/Object;)"
        + "Ljava/util/Formatter;", "Formats.read(Ljava/lang/String;)Ljava/lang/String;", 2);
    // The garbage collector's threads log at moments nobody can repeat.
    add(LOG + ".addLog(ILjava/lang/String;Ljava/lang/String;Ljava/lang/Throwable;)I",
        "FirstUse.unwantedLog()Z");
  }

  private JdkHooks() {}

  static boolean wants(String type) {
    return HOOKED.contains(type) || CALLS.contains(type) || type.startsWith("java/util/concurrent/");
  }

  static byte[] rewrite(String type, byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next =
                super.visitMethod(access, name, descriptor, signature, exceptions);
            return new Method(next, type, name, descriptor);
          }
        },
        0);
    return writer.toByteArray();
  }

  private static void add(String method, String hook, int... slots) {
    int dot = hook.indexOf('.');
    int open = hook.indexOf('(');
    HOOKED.add(method.substring(0, method.indexOf('.')));
    FIRST.put(
        method,
        new Hook(
            slots, WORLD + hook.substring(0, dot), hook.substring(dot + 1, open),
            hook.substring(open)));
  }

  private static final class Method extends MethodVisitor {
    private final String type;
    private final String name;
    private final String descriptor;

    Method(MethodVisitor next, String type, String name, String descriptor) {
      super(Opcodes.ASM9, next);
      this.type = type;
      this.name = name;
      this.descriptor = descriptor;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      Hook hook = FIRST.get(type + "." + name + descriptor);
      if (hook != null) {
        call(hook);
      } else if (type.equals("java/lang/Math") && name.equals("random")) {
        ifMine(() -> world("Chance", "nextDouble", "()D"));
      } else if (type.equals("java/security/SecureRandom") && name.equals("nextBytes")
          && descriptor.equals("([B)V")) {
        ifMine(() -> {
          mv.visitVarInsn(Opcodes.ALOAD, 1);
          world("Chance", "fill", "([B)V");
        });
      } else if (type.equals("java/security/SecureRandom") && name.equals("generateSeed")) {
        ifMine(() -> {
          mv.visitVarInsn(Opcodes.ILOAD, 1);
          world("Chance", "bytes", "(I)[B");
        });
      } else if (type.equals("java/util/Collections") && name.equals("shuffle")
          && descriptor.equals("(Ljava/util/List;)V")) {
        ifMine(() -> {
          mv.visitVarInsn(Opcodes.ALOAD, 0);
          mv.visitTypeInsn(Opcodes.NEW, "java/util/Random");
          mv.visitInsn(Opcodes.DUP);
          mv.visitMethodInsn(
              Opcodes.INVOKESPECIAL, "java/util/Random", "<init>", "()V", false);
          mv.visitMethodInsn(
              Opcodes.INVOKESTATIC, type, name, "(Ljava/util/List;Ljava/util/Random;)V", false);
        });
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String called, String to, boolean isInterface) {
      if (type.equals("java/lang/Thread") && called.equals("start0")) {
        mv.visitInsn(Opcodes.DUP);
        world("Blocking", "starting", "(Ljava/lang/Thread;)V");
      } else if (type.equals("java/util/Random") && called.equals("seedUniquifier")) {
        world("Chance", "uniquifier", "()J");
        return;
      } else if (type.equals("java/util/Random") && called.equals("nanoTime")) {
        world("Chance", "randomSeed", "()J");
        return;
      } else if (called.equals("getNanoTimeAdjustment")) {
        nanoTimeAdjustment(opcode, owner, called, to);
        return;
      } else if (CALLS.contains(type)
          || type.startsWith("java/util/concurrent/")
          || type.startsWith("java/time/")
          || type.equals("java/lang/Thread") && name.equals("join")) {
        CallTable.call(mv, false, opcode, owner, called, to, isInterface);
        return;
      }
      super.visitMethodInsn(opcode, owner, called, to, isInterface);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.RETURN && name.equals("localInit")) {
        world("Chance", "seedThread", "()V");
      }
      super.visitInsn(opcode);
    }

    @Override
    public void visitMaxs(int stack, int locals) {
      super.visitMaxs(stack + 6, locals);
    }

    /** java.time asks the JVM for the nanoseconds since a second; -1 sends it there all the same. */
    private void nanoTimeAdjustment(int opcode, String owner, String called, String to) {
      Label done = new Label();
      mv.visitInsn(Opcodes.DUP2);
      world("Blocking", "sinceEpochSecond", "(J)J");
      mv.visitInsn(Opcodes.DUP2);
      mv.visitLdcInsn(-1L);
      mv.visitInsn(Opcodes.LCMP);
      Label ours = new Label();
      mv.visitJumpInsn(Opcodes.IFNE, ours);
      mv.visitInsn(Opcodes.POP2);
      mv.visitMethodInsn(opcode, owner, called, to, false);
      mv.visitJumpInsn(Opcodes.GOTO, done);
      mv.visitLabel(ours);
      mv.visitInsn(Opcodes.DUP2_X2);
      mv.visitInsn(Opcodes.POP2);
      mv.visitInsn(Opcodes.POP2);
      mv.visitLabel(done);
    }

    private void call(Hook hook) {
      Type[] types = Type.getArgumentTypes(hook.descriptor());
      for (int i = 0; i < types.length; i++) {
        mv.visitVarInsn(types[i].getOpcode(Opcodes.ILOAD), hook.slots()[i]);
      }
      mv.visitMethodInsn(
          Opcodes.INVOKESTATIC, hook.owner(), hook.name(), hook.descriptor(), false);
      if (hook.descriptor().endsWith(")Z")) {
        Label goOn = new Label();
        mv.visitJumpInsn(Opcodes.IFEQ, goOn);
        Type answer = Type.getReturnType(descriptor);
        if (answer.getSort() == Type.OBJECT) {
          mv.visitInsn(Opcodes.ACONST_NULL);
        } else if (answer != Type.VOID_TYPE) {
          mv.visitInsn(Opcodes.ICONST_0);
        }
        mv.visitInsn(answer.getOpcode(Opcodes.IRETURN));
        here(goOn);
      } else if (Type.getReturnType(hook.descriptor()).getSort() == Type.OBJECT) {
        mv.visitVarInsn(Opcodes.ASTORE, hook.slots()[0]);
      }
    }

    private void ifMine(Runnable instead) {
      Label goOn = new Label();
      world("Chance", "mine", "()Z");
      mv.visitJumpInsn(Opcodes.IFEQ, goOn);
      instead.run();
      mv.visitInsn(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN));
      here(goOn);
    }

    /** The no-op keeps this frame and one the method may begin with apart. */
    private void here(Label label) {
      mv.visitLabel(label);
      mv.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
      mv.visitInsn(Opcodes.NOP);
    }

    private void world(String owner, String called, String to) {
      mv.visitMethodInsn(Opcodes.INVOKESTATIC, WORLD + owner, called, to, false);
    }
  }
}
