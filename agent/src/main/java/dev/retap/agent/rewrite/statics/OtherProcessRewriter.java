// The pass over an app's class that is loaded in another process than the main one. The class has
// been through the other passes; here it learns its process, so that its initialisers are counted
// apart and its calls end, or name, that process.
package dev.retap.agent.rewrite.statics;

import dev.retap.agent.world.AppStatics;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

public final class OtherProcessRewriter extends ClassVisitor {
  private static final String STATICS = "dev/retap/agent/world/AppStatics";
  private static final String APP_CALLS = "dev/retap/agent/device/app/AppCalls";
  private static final String CALLS = "dev/retap/agent/device/process/ProcessCalls";

  /** The calls that depend on the process, and the methods that take its number as well. */
  private static final Map<String, String> REPLACED =
      Map.of(
          APP_CALLS + ".exit(I)V",
          "exit",
          APP_CALLS + ".exit(Ljava/lang/Runtime;I)V",
          "exit",
          APP_CALLS + ".killProcess(I)V",
          "killProcess",
          "android/os/Process.killProcess(I)V",
          "killProcess",
          "android/os/Process.myPid()I",
          "myPid",
          "android/app/Application.getProcessName()Ljava/lang/String;",
          "processName");

  private final int process;

  private OtherProcessRewriter(ClassVisitor next, int process) {
    super(Opcodes.ASM9, next);
    this.process = process;
  }

  /** Rewrites a class for the process of this number, which is not 0. */
  public static byte[] rewrite(byte[] classFile, int process) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new OtherProcessRewriter(writer, process), 0);
    return writer.toByteArray();
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String type, String signature, String[] exceptions) {
    return new Method(super.visitMethod(access, name, type, signature, exceptions));
  }

  private final class Method extends MethodVisitor {
    private boolean isNumberNext;

    Method(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      isNumberNext = owner.equals(STATICS) && name.equals("READY");
      super.visitFieldInsn(opcode, owner, name, descriptor);
    }

    @Override
    public void visitLdcInsn(Object value) {
      super.visitLdcInsn(isNumberNext ? shifted((Integer) value) : value);
      isNumberNext = false;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      String replacement = REPLACED.get(owner + "." + name + descriptor);
      boolean isInitialization =
          owner.equals(STATICS)
              && (name.equals("begin") || name.equals("end") || name.equals("fail"));
      if (replacement == null && !isInitialization) {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        return;
      }
      super.visitLdcInsn(process);
      String withProcess = descriptor.replace(")", "I)");
      if (isInitialization) {
        super.visitMethodInsn(opcode, owner, name, withProcess, false);
      } else {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, replacement, withProcess, false);
      }
    }

    @Override
    public void visitMaxs(int stack, int locals) {
      super.visitMaxs(stack + 1, locals);
    }

    private int shifted(int number) {
      return number + process * AppStatics.MOST_CLASSES;
    }
  }
}
