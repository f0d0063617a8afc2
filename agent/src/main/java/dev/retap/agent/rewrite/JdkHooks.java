// The pass over a class of the JDK (and over two of the host's): puts the hooks of JdkHookTable
// before the first line of methods, maps paths as PathHookTable says, replaces calls as CallTable
// says, and takes random numbers from the world.
package dev.retap.agent.rewrite;

import dev.retap.agent.rewrite.JdkHookTable.Hook;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

final class JdkHooks {
  private static final String REFERENCE = "java/lang/ref/Reference";

  /** Classes of the JDK to which CallTable applies too, beside those of java.util.concurrent. */
  private static final Set<String> WITH_REPLACED_CALLS =
      Set.of(
          "java/lang/ref/ReferenceQueue",
          "java/util/Timer",
          "java/util/TimerThread",
          "java/util/Date",
          "java/util/Calendar",
          "java/util/GregorianCalendar",
          "java/util/JapaneseImperialCalendar",
          "sun/util/locale/provider/CalendarProviderImpl",
          "sun/util/calendar/AbstractCalendar",
          "sun/util/calendar/Gregorian",
          "sun/util/calendar/JulianCalendar",
          "sun/util/calendar/LocalGregorianCalendar",
          "sun/util/calendar/ZoneInfo",
          "java/text/SimpleDateFormat",
          "java/net/HttpCookie",
          "java/util/zip/ZipOutputStream",
          "java/io/PipedInputStream",
          "java/io/PipedOutputStream",
          "java/io/PipedReader",
          "java/io/PipedWriter");

  /** Classes of the JDK that ask what they hold for hash codes, beside the hooked hash tables. */
  private static final Set<String> ASKING_FOR_HASHES =
      Set.of(
          "java/lang/invoke/MethodType",
          "java/util/AbstractList",
          "java/util/AbstractSet",
          "java/util/ArrayList",
          "java/util/Arrays",
          "java/util/EnumMap",
          "java/util/Hashtable",
          "java/util/ImmutableCollections$List12",
          "java/util/ImmutableCollections$ListN",
          "java/util/ImmutableCollections$Map1",
          "java/util/ImmutableCollections$MapN",
          "java/util/ImmutableCollections$Set12",
          "java/util/ImmutableCollections$SetN",
          "java/util/KeyValueHolder",
          "java/util/Objects",
          "java/util/TreeMap$Entry");

  private static final String REFLECTION = "jdk/internal/reflect/Reflection";
  private static final String ACCESSIBLE = "java/lang/reflect/AccessibleObject";

  /** Classes that this pass treats by name. */
  private static final Set<String> SPECIAL =
      Set.of(
          "java/util/Random",
          "java/lang/Math",
          "java/util/Collections",
          "java/time/Clock",
          "java/time/Clock$SystemClock",
          "java/time/Clock$SystemInstantSource",
          "java/security/SecureRandom",
          REFERENCE,
          REFLECTION,
          ACCESSIBLE,
          PatternHooks.TYPE);

  private JdkHooks() {}

  /** Returns true if the pass changes the class. */
  static boolean wants(String type) {
    return SPECIAL.contains(type)
        || JdkHookTable.hasHooks(type)
        || PathHookTable.hasPaths(type)
        || WITH_REPLACED_CALLS.contains(type)
        || ASKING_FOR_HASHES.contains(type)
        || type.startsWith("java/util/concurrent/");
  }

  static byte[] rewrite(String type, byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(
            Opcodes.ASM9, type.equals(PatternHooks.TYPE) ? new PatternHooks(writer) : writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            return new HookedMethod(next, type, name, descriptor);
          }
        },
        0);
    return writer.toByteArray();
  }

  private static final class HookedMethod extends MethodVisitor {
    private final String type;
    private final String name;
    private final String descriptor;
    private final PathHookTable.Paths paths;

    HookedMethod(MethodVisitor next, String type, String name, String descriptor) {
      super(Opcodes.ASM9, next);
      this.type = type;
      this.name = name;
      this.descriptor = descriptor;
      paths = PathHookTable.find(type, name, descriptor);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (paths != null) {
        PathHookTable.writeArguments(mv, type, paths);
      }
      Hook hook = JdkHookTable.find(type, name, descriptor);
      if (hook != null) {
        insert(hook);
        if (type.equals("java/io/FileNotFoundException")) {
          // The hook has put the reason into the first argument.
          mv.visitInsn(Opcodes.ACONST_NULL);
          mv.visitVarInsn(Opcodes.ASTORE, 2);
        }
      } else if (is("java/lang/Thread", "getAllStackTraces", "()Ljava/util/Map;")) {
        returnForApp(() -> callWorld("jdk/ThreadReach", name, descriptor));
      } else if (is("java/lang/Math", "random", "()D")) {
        returnForApp(() -> callWorld("WorldRandom", "nextDouble", "()D"));
      } else if (is("java/security/SecureRandom", "nextBytes", "([B)V")) {
        returnForApp(
            () -> {
              mv.visitVarInsn(Opcodes.ALOAD, 1);
              callWorld("WorldRandom", "fill", "([B)V");
            });
      } else if (is("java/security/SecureRandom", "generateSeed", "(I)[B")) {
        returnForApp(
            () -> {
              mv.visitVarInsn(Opcodes.ILOAD, 1);
              callWorld("WorldRandom", "bytes", "(I)[B");
            });
      } else if (type.equals(REFLECTION) && name.equals("verifyMemberAccess")) {
        allowPublicMembers();
      } else if (is(
          ACCESSIBLE, "checkCanSetAccessible", "(Ljava/lang/Class;Ljava/lang/Class;Z)Z")) {
        openMembers();
      } else if (is("java/util/Collections", "shuffle", "(Ljava/util/List;)V")) {
        returnForApp(this::shuffleWithNewRandom);
      }
    }

    private boolean is(String owner, String method, String descriptor) {
      return type.equals(owner) && name.equals(method) && this.descriptor.equals(descriptor);
    }

    /** Android looks only at the member: one that is public may belong to any class. */
    private void allowPublicMembers() {
      Label goOn = new Label();
      mv.visitVarInsn(Opcodes.ILOAD, 3);
      mv.visitInsn(Opcodes.ICONST_1);
      mv.visitInsn(Opcodes.IAND);
      mv.visitJumpInsn(Opcodes.IFEQ, goOn);
      callWorld("Scheduler", "isAppThread", "()Z");
      mv.visitJumpInsn(Opcodes.IFEQ, goOn);
      mv.visitInsn(Opcodes.ICONST_1);
      mv.visitInsn(Opcodes.IRETURN);
      goOnAt(goOn);
    }

    /** Android has no modules, so reflection opens what the world does not keep closed. */
    private void openMembers() {
      Label goOn = new Label();
      mv.visitVarInsn(Opcodes.ALOAD, 2);
      callWorld("jdk/OpenMembers", "areOpen", "(Ljava/lang/Class;)Z");
      mv.visitJumpInsn(Opcodes.IFEQ, goOn);
      mv.visitInsn(Opcodes.ICONST_1);
      mv.visitInsn(Opcodes.IRETURN);
      goOnAt(goOn);
    }

    /** Collections keeps one Random for the whole process; a new one comes from the world seed. */
    private void shuffleWithNewRandom() {
      mv.visitVarInsn(Opcodes.ALOAD, 0);
      mv.visitTypeInsn(Opcodes.NEW, "java/util/Random");
      mv.visitInsn(Opcodes.DUP);
      mv.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/util/Random", "<init>", "()V", false);
      mv.visitMethodInsn(
          Opcodes.INVOKESTATIC, type, name, "(Ljava/util/List;Ljava/util/Random;)V", false);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String called, String calledType, boolean isInterface) {
      if (type.equals("java/lang/Thread") && called.equals("start0")) {
        mv.visitInsn(Opcodes.DUP);
        callWorld("Blocking", "threadStarting", "(Ljava/lang/Thread;)V");
      } else if (type.equals("java/util/Random") && called.equals("seedUniquifier")) {
        callWorld("WorldRandom", "uniquifier", "()J");
        return;
      } else if (type.equals("java/util/Random") && called.equals("nanoTime")) {
        callWorld("WorldRandom", "randomSeed", "()J");
        return;
      } else if (called.equals("getNanoTimeAdjustment")) {
        insertNanoTimeAdjustment(opcode, owner, called, calledType);
        return;
      } else if (WITH_REPLACED_CALLS.contains(type)
          || ASKING_FOR_HASHES.contains(type)
          || type.startsWith("java/util/concurrent/")
          || type.startsWith("java/time/")
          || type.equals("java/lang/Thread") && name.equals("join")) {
        CallTable.write(mv, false, opcode, owner, called, calledType, isInterface);
        return;
      }
      super.visitMethodInsn(opcode, owner, called, calledType, isInterface);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.RETURN && name.equals("localInit")) {
        callWorld("WorldRandom", "seedThread", "()V");
      } else if (opcode == Opcodes.ARETURN && paths != null && paths.result()) {
        PathHookTable.writeResult(mv, descriptor);
      }
      if (opcode == Opcodes.RETURN
          && is(REFERENCE, "<init>", "(Ljava/lang/Object;Ljava/lang/ref/ReferenceQueue;)V")) {
        mv.visitVarInsn(Opcodes.ALOAD, 0);
        mv.visitVarInsn(Opcodes.ALOAD, 1);
        callWorld("References", "created", "(Ljava/lang/ref/Reference;Ljava/lang/Object;)V");
      }
      super.visitInsn(opcode);
    }

    @Override
    public void visitMaxs(int stack, int locals) {
      super.visitMaxs(stack + 6, locals);
    }

    /**
     * Asks the world before java.time asks the JVM; the world answers -1 for the host's threads.
     */
    private void insertNanoTimeAdjustment(
        int opcode, String owner, String called, String calledType) {
      Label done = new Label();
      mv.visitInsn(Opcodes.DUP2);
      callWorld("Blocking", "sinceEpochSecond", "(J)J");
      mv.visitInsn(Opcodes.DUP2);
      mv.visitLdcInsn(-1L);
      mv.visitInsn(Opcodes.LCMP);
      Label fromWorld = new Label();
      mv.visitJumpInsn(Opcodes.IFNE, fromWorld);
      mv.visitInsn(Opcodes.POP2);
      mv.visitMethodInsn(opcode, owner, called, calledType, false);
      mv.visitJumpInsn(Opcodes.GOTO, done);
      mv.visitLabel(fromWorld);
      mv.visitInsn(Opcodes.DUP2_X2);
      mv.visitInsn(Opcodes.POP2);
      mv.visitInsn(Opcodes.POP2);
      mv.visitLabel(done);
    }

    private void insert(Hook hook) {
      Type[] types = Type.getArgumentTypes(hook.descriptor());
      for (int i = 0; i < types.length; i++) {
        mv.visitVarInsn(types[i].getOpcode(Opcodes.ILOAD), hook.slots()[i]);
      }
      mv.visitMethodInsn(Opcodes.INVOKESTATIC, hook.owner(), hook.name(), hook.descriptor(), false);
      if (hook.descriptor().endsWith(")Z")) {
        Label goOn = new Label();
        mv.visitJumpInsn(Opcodes.IFEQ, goOn);
        Type result = Type.getReturnType(descriptor);
        if (result.getSort() == Type.OBJECT) {
          mv.visitInsn(Opcodes.ACONST_NULL);
        } else if (result != Type.VOID_TYPE) {
          mv.visitInsn(Opcodes.ICONST_0);
        }
        mv.visitInsn(result.getOpcode(Opcodes.IRETURN));
        goOnAt(goOn);
      } else if (Type.getReturnType(hook.descriptor()).getSort() >= Type.ARRAY) {
        mv.visitVarInsn(Opcodes.ASTORE, hook.slots()[0]);
      }
    }

    /**
     * Makes the method return what the given code leaves on the stack, if an app thread calls it.
     */
    private void returnForApp(Runnable code) {
      Label goOn = new Label();
      callWorld("Scheduler", "isAppThread", "()Z");
      mv.visitJumpInsn(Opcodes.IFEQ, goOn);
      code.run();
      mv.visitInsn(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN));
      goOnAt(goOn);
    }

    /** Places the label. The no-op separates its frame from one that the method may begin with. */
    private void goOnAt(Label label) {
      mv.visitLabel(label);
      mv.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
      mv.visitInsn(Opcodes.NOP);
    }

    private void callWorld(String owner, String method, String type) {
      mv.visitMethodInsn(Opcodes.INVOKESTATIC, JdkHookTable.WORLD + owner, method, type, false);
    }
  }
}
