// The host's theme, when copied, makes an empty table of a kilobyte for each of the 253 packages that
// the other theme does not have. "None" says the same, as it does in a new theme.
package dev.retap.agent;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class ThemeCopies extends ClassVisitor {
  private static final String THEME = "org/robolectric/res/android/CppAssetManager2$Theme";
  private static final String TABLE = THEME + "$ThemePackage";

  private ThemeCopies(ClassVisitor next) {
    super(Opcodes.ASM9, next);
  }

  static boolean wants(String type) {
    return type.equals(THEME);
  }

  static byte[] rewrite(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new ThemeCopies(writer), 0);
    return writer.toByteArray();
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    return name.equals("SetTo") ? new FirstTable(next) : next;
  }

  /** The first table that the method makes is the empty one. */
  private static final class FirstTable extends MethodVisitor {
    private boolean met;
    private boolean making;

    FirstTable(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      if (!met && opcode == Opcodes.NEW && type.equals(TABLE)) {
        met = true;
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
