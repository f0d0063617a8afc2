// The pass over a class of the app or of the framework. It replaces the calls that CallTable names
// and inserts calls of the scheduler: before a thread's first line, before and after a monitor is
// entered, and before each jump back in an app's loop. In the framework it registers static
// collections. An app's classes pass when the APK is prepared, the framework's when they are
// loaded.
package dev.retap.agent.rewrite;

import dev.retap.agent.rewrite.monitors.MonitorEntryCalls;
import dev.retap.agent.rewrite.monitors.SynchronizedMethod;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

public final class CallRewriter extends ClassVisitor {
  private static final String STATIC_COLLECTIONS = "dev/retap/agent/world/memory/StaticCollections";

  /** The class in which a looper waits for its next message. */
  private static final String MESSAGE_QUEUE = "org/robolectric/shadows/ShadowPausedMessageQueue";

  private final boolean inApp;
  private final ThreadClasses threads;
  private boolean mayBeThread;
  private String owner;
  private int version;

  private CallRewriter(ClassVisitor next, boolean inApp, ThreadClasses threads) {
    super(Opcodes.ASM9, next);
    this.inApp = inApp;
    this.threads = threads;
  }

  /** Rewrites one class of the app or, if not in the app, of the framework. */
  public static byte[] rewrite(byte[] classFile, boolean inApp) {
    ThreadClasses threads = new ThreadClasses();
    threads.add(classFile);
    return rewrite(classFile, inApp, threads);
  }

  static byte[] rewrite(byte[] classFile, boolean inApp, ThreadClasses threads) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new CallRewriter(writer, inApp, threads), 0);
    return writer.toByteArray();
  }

  /** Rewrites a class of the framework and links it directly to its shadows. */
  static byte[] rewrite(byte[] classFile, ShadowedMethods shadowed) {
    ClassWriter writer = new ClassWriter(0);
    MergedMethods.read(classFile, shadowed)
        .accept(new DirectCalls(new CallRewriter(writer, false, new ThreadClasses()), shadowed));
    return writer.toByteArray();
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String parent, String[] interfaces) {
    super.visit(version, access, name, signature, parent, interfaces);
    owner = name;
    this.version = version;
    mayBeThread =
        inApp ? !"java/lang/Object".equals(parent) : parent != null && parent.endsWith("Thread");
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    if (inApp && (access & Opcodes.ACC_NATIVE) != 0) {
      int plain = access & ~Opcodes.ACC_NATIVE;
      NativeMethodBody.write(
          super.visitMethod(plain, name, descriptor, signature, exceptions),
          owner,
          plain,
          name,
          descriptor);
      return null;
    }
    boolean isSynchronized = SynchronizedMethod.wants(access);
    int declared = isSynchronized ? access & ~Opcodes.ACC_SYNCHRONIZED : access;
    MethodVisitor entries =
        new MonitorEntryCalls(super.visitMethod(declared, name, descriptor, signature, exceptions));
    MethodVisitor next =
        isSynchronized
            ? SynchronizedMethod.of(entries, owner, access, descriptor, version)
            : entries;
    boolean isFirstLine = mayBeThread && name.equals("run") && descriptor.equals("()V");
    Set<Label> visited = new HashSet<>();
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitCode() {
        super.visitCode();
        if (isFirstLine) {
          callScheduler("awaitFirstTurn");
        }
      }

      @Override
      public void visitLabel(Label label) {
        visited.add(label);
        super.visitLabel(label);
      }

      @Override
      public void visitJumpInsn(int opcode, Label to) {
        if (inApp && visited.contains(to)) {
          callScheduler("countLoop");
        }
        super.visitJumpInsn(opcode, to);
      }

      @Override
      public void visitFieldInsn(int opcode, String owner, String field, String type) {
        if (!inApp && opcode == Opcodes.PUTSTATIC && isCollection(type)) {
          super.visitInsn(Opcodes.DUP);
          super.visitMethodInsn(
              Opcodes.INVOKESTATIC, STATIC_COLLECTIONS, "register", "(Ljava/lang/Object;)V", false);
        }
        super.visitFieldInsn(opcode, owner, field, type);
      }

      private void callScheduler(String method) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, CallTable.BLOCKING, method, "()V", false);
      }

      @Override
      public void visitMethodInsn(
          int opcode, String owner, String called, String type, boolean isInterface) {
        if (CallRewriter.this.owner.equals(MESSAGE_QUEUE)
            && called.equals("wait")
            && type.equals("()V")) {
          super.visitMethodInsn(
              Opcodes.INVOKESTATIC, CallTable.BLOCKING, "poll", "(Ljava/lang/Object;)V", false);
          return;
        }
        String declaring = threads.ownerOf(owner, called, type);
        CallTable.write(mv, inApp, opcode, declaring, called, type, isInterface);
      }

      @Override
      public void visitMaxs(int stack, int locals) {
        super.visitMaxs(stack + 1, locals);
      }
    };
  }

  /**
   * Returns true for `java.util` and `android.util`: most types are collections, others do no harm.
   */
  private static boolean isCollection(String descriptor) {
    return descriptor.startsWith("Ljava/util/") || descriptor.startsWith("Landroid/util/");
  }
}
