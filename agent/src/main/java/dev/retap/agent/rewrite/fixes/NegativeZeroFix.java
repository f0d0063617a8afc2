// Mends dex2jar, which writes the shortest instruction for a constant and takes -0.0 for 0.0.
package dev.retap.agent.rewrite.fixes;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

public final class NegativeZeroFix {
  private static final String TYPE = "com/googlecode/d2j/asm/LdcOptimizeAdapter";
  private static final String VISIT = "visitLdcInsn";
  private static final String VISIT_TYPE = "(Ljava/lang/Object;)V";

  private NegativeZeroFix() {}

  public static boolean wants(String type) {
    return type.equals(TYPE);
  }

  public static byte[] rewrite(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            return name.equals(VISIT) ? new ExactZeros(next) : next;
          }
        },
        0);
    return writer.toByteArray();
  }

  /** Passes a negative zero on as it is, before the method looks at it. */
  private static final class ExactZeros extends MethodVisitor {
    ExactZeros(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      passOn(-0.0, "java/lang/Double", "(D)Ljava/lang/Double;");
      passOn(-0.0f, "java/lang/Float", "(F)Ljava/lang/Float;");
    }

    private void passOn(Object zero, String box, String boxing) {
      Label other = new Label();
      super.visitLdcInsn(zero);
      super.visitMethodInsn(Opcodes.INVOKESTATIC, box, "valueOf", boxing, false);
      super.visitVarInsn(Opcodes.ALOAD, 1);
      super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, box, "equals", "(Ljava/lang/Object;)Z", false);
      super.visitJumpInsn(Opcodes.IFEQ, other);
      super.visitVarInsn(Opcodes.ALOAD, 0);
      super.visitVarInsn(Opcodes.ALOAD, 1);
      super.visitMethodInsn(
          Opcodes.INVOKESPECIAL, "org/objectweb/asm/MethodVisitor", VISIT, VISIT_TYPE, false);
      super.visitInsn(Opcodes.RETURN);
      super.visitLabel(other);
      super.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
      super.visitInsn(Opcodes.NOP);
    }
  }
}
