// The pass over java.util.regex.Pattern: it compiles what IcuPattern makes of an expression, and
// shows the expression and the flags that it was given.
package dev.retap.agent.rewrite;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class PatternHooks extends ClassVisitor {
  static final String TYPE = "java/util/regex/Pattern";
  static final String ICU = "dev/retap/agent/world/libcore/IcuPattern";
  private static final String TEXT = "Ljava/lang/String;";

  PatternHooks(ClassVisitor next) {
    super(Opcodes.ASM9, next);
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    boolean compiles = name.equals("compile") && descriptor.equals("()V");
    boolean splits = name.equals("split") && descriptor.startsWith("(Ljava/lang/CharSequence;I)");
    boolean checksFlags = name.equals("compile") && descriptor.startsWith("(" + TEXT + "I)");
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitCode() {
        super.visitCode();
        if (splits) {
          splitAsBefore();
        } else if (checksFlags) {
          super.visitVarInsn(Opcodes.ILOAD, 1);
          call("checkFlags", "(I)V");
        } else if (compiles) {
          super.visitVarInsn(Opcodes.ALOAD, 0);
          loadFlags();
          call("compileFlags", "(I)I");
          super.visitFieldInsn(Opcodes.PUTFIELD, TYPE, "flags0", "I");
        }
      }

      @Override
      public void visitFieldInsn(int opcode, String owner, String field, String type) {
        if (compiles && opcode == Opcodes.PUTFIELD && field.equals("normalizedPattern")) {
          loadFlags();
          call("translate", "(" + TEXT + "I)" + TEXT);
        }
        boolean inError = name.equals("error") && field.equals("normalizedPattern");
        super.visitFieldInsn(opcode, owner, inError ? "pattern" : field, type);
        if (name.equals("flags") && field.equals("flags0")) {
          super.visitVarInsn(Opcodes.ALOAD, 0);
          super.visitFieldInsn(Opcodes.GETFIELD, TYPE, "flags", "I");
          call("givenFlags", "(II)I");
        }
      }

      @Override
      public void visitMaxs(int stack, int locals) {
        super.visitMaxs(stack + 3, locals);
      }

      /** Keeps the blank text before an empty match at the beginning. */
      private void splitAsBefore() {
        String arguments = "(L" + TYPE + ";Ljava/lang/CharSequence;";
        Label goOn = new Label();
        super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitVarInsn(Opcodes.ALOAD, 1);
        call("beginsWithBlank", arguments + ")Z");
        super.visitJumpInsn(Opcodes.IFEQ, goOn);
        super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitVarInsn(Opcodes.ALOAD, 1);
        super.visitVarInsn(Opcodes.ILOAD, 2);
        call("splitFromBlank", arguments + "I)[" + TEXT);
        super.visitInsn(Opcodes.ARETURN);
        super.visitLabel(goOn);
        super.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
        super.visitInsn(Opcodes.NOP);
      }

      private void loadFlags() {
        super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitFieldInsn(Opcodes.GETFIELD, TYPE, "flags0", "I");
      }

      private void call(String method, String type) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, ICU, method, type, false);
      }
    };
  }
}
