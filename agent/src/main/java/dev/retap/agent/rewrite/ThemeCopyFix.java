// Makes copies of Robolectric's themes small. A copy gets an empty table of a kilobyte for each of
// the 253 packages that the other theme does not have. Null means the same, as it does in a new
// theme.
package dev.retap.agent.rewrite;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class ThemeCopyFix extends ClassVisitor {
  private static final String THEME = "org/robolectric/res/android/CppAssetManager2$Theme";
  private static final String TABLE = THEME + "$ThemePackage";

  private ThemeCopyFix(ClassVisitor next) {
    super(Opcodes.ASM9, next);
  }

  /** Returns true for the one class that the fix is for. */
  static boolean wants(String type) {
    return type.equals(THEME);
  }

  static byte[] rewrite(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new ThemeCopyFix(writer), 0);
    return writer.toByteArray();
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    return name.equals("SetTo") ? new FirstTableRemover(next) : next;
  }

  /** Replaces the first table that the method makes, which is the empty one, by null. */
  private static final class FirstTableRemover extends MethodVisitor {
    private boolean found;
    private boolean making;

    FirstTableRemover(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      if (!found && opcode == Opcodes.NEW && type.equals(TABLE)) {
        found = true;
        making = true;
        super.visitInsn(Opcodes.ACONST_NULL);
      } else {
        super.visitTypeInsn(opcode, type);
      }
    }

    @Override
    public void visitInsn(int opcode) {
      if (!making) {
        super.visitInsn(opcode);
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (making) {
        making = false;
      } else {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      }
    }
  }
}
