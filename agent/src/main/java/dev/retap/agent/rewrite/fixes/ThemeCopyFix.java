// Makes copies of Robolectric's themes small. A copy gets an empty table of a kilobyte for each of
// the 253 packages that the other theme does not have, and an entry for each of the thousand
// attributes that it does not set. Null means the same, as it does in a new theme. The values of a
// theme never change, so a copy has the same ones.
package dev.retap.agent.rewrite.fixes;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

public final class ThemeCopyFix extends ClassVisitor {
  private static final String THEME = "org/robolectric/res/android/CppAssetManager2$Theme";
  private static final String TABLE = THEME + "$ThemePackage";
  private static final String ENTRY = THEME + "$ThemeEntry";
  private static final String VALUE = "org/robolectric/res/android/ResourceTypes$Res_value";
  private static final String OURS = "org/robolectric/res/android/ThemeEntries";

  private ThemeCopyFix(ClassVisitor next) {
    super(Opcodes.ASM9, next);
  }

  /** Returns true for the one class that the fix is for. */
  public static boolean wants(String type) {
    return type.equals(THEME);
  }

  public static byte[] rewrite(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new ThemeCopyFix(writer), 0);
    return writer.toByteArray();
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    return name.equals("SetTo") ? new EntryCopies(new FirstTableRemover(next)) : next;
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

  /** Keeps the copy of an entry only if there was one, and does not copy its value. */
  private static final class EntryCopies extends MethodVisitor {
    private int lastStored;
    private int original = -1;

    EntryCopies(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
      if (opcode == Opcodes.ASTORE) {
        lastStored = variable;
      }
      super.visitVarInsn(opcode, variable);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      if (opcode == Opcodes.NEW && type.equals(ENTRY)) {
        original = lastStored;
      }
      super.visitTypeInsn(opcode, type);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (!owner.equals(VALUE) || !name.equals("copy")) {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      }
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode != Opcodes.AASTORE || original < 0) {
        super.visitInsn(opcode);
        return;
      }
      super.visitVarInsn(Opcodes.ALOAD, original);
      original = -1;
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          OURS,
          "putCopy",
          "([Ljava/lang/Object;ILjava/lang/Object;Ljava/lang/Object;)V",
          false);
    }

    @Override
    public void visitMaxs(int stack, int locals) {
      super.visitMaxs(stack + 1, locals);
    }
  }
}
