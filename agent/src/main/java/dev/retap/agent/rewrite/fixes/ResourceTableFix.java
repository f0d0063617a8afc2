// Makes Robolectric's resource table below API 28 keep what Android's own keeps and it builds anew
// for every question: the bags (styles, themes, arrays), and which configurations of a type match
// the device's. It also copies the configuration that it chooses for an entry, not each one that it
// looks at; callers change what they get, so that copy must stay.
package dev.retap.agent.rewrite.fixes;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

public final class ResourceTableFix extends ClassVisitor {
  public static final String TABLE = "org/robolectric/res/android/ResTable";

  private static final String KEPT = "org/robolectric/res/android/ResourceBags";
  private static final String CONFIGURATION = TABLE + "_config";
  private static final String COPY = "fromDtoH";
  private static final String COPY_TYPE = "(L" + CONFIGURATION + ";)L" + CONFIGURATION + ";";
  private static final String BAG = "getBagLocked";

  /** The parameter of getEntry that is the wanted configuration. */
  private static final int WANTED = 4;

  public ResourceTableFix(ClassVisitor next) {
    super(Opcodes.ASM9, next);
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    if (name.equals("getEntry")) {
      return new Choice(super.visitMethod(access, name, descriptor, signature, exceptions));
    }
    if (!name.equals(BAG)) {
      return super.visitMethod(access, name, descriptor, signature, exceptions);
    }
    String called = "(L" + TABLE + ";" + descriptor.substring(1);
    MethodVisitor bag = super.visitMethod(access, name, descriptor, signature, exceptions);
    bag.visitCode();
    bag.visitVarInsn(Opcodes.ALOAD, 0);
    bag.visitVarInsn(Opcodes.ILOAD, 1);
    bag.visitVarInsn(Opcodes.ALOAD, 2);
    bag.visitVarInsn(Opcodes.ALOAD, 3);
    bag.visitMethodInsn(Opcodes.INVOKESTATIC, KEPT, "get", called, false);
    bag.visitInsn(Opcodes.IRETURN);
    bag.visitMaxs(4, 4);
    bag.visitEnd();
    return new Parents(
        super.visitMethod(access, "buildBag", descriptor, signature, exceptions), called);
  }

  private static final class Choice extends MethodVisitor {
    Choice(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (!owner.equals(CONFIGURATION) || !name.equals(COPY)) {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      if (opcode == Opcodes.GETFIELD && owner.equals(TABLE + "$Type") && name.equals("configs")) {
        super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitVarInsn(Opcodes.ALOAD, WANTED);
        String called = "(L" + owner + ";L" + TABLE + ";L" + CONFIGURATION + ";)Ljava/util/List;";
        super.visitMethodInsn(Opcodes.INVOKESTATIC, KEPT, "candidates", called, false);
        return;
      }
      if (opcode == Opcodes.PUTFIELD
          && owner.equals(TABLE + "$Entry")
          && descriptor.equals("L" + CONFIGURATION + ";")) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, CONFIGURATION, COPY, COPY_TYPE, false);
      }
      super.visitFieldInsn(opcode, owner, name, descriptor);
    }

    @Override
    public void visitMaxs(int stack, int locals) {
      super.visitMaxs(stack + 2, locals);
    }
  }

  /** Lets a bag that is built start from a copy of its parent's, which it changes. */
  private static final class Parents extends MethodVisitor {
    private final String called;

    Parents(MethodVisitor next, String called) {
      super(Opcodes.ASM9, next);
      this.called = called;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (owner.equals(TABLE) && name.equals(BAG)) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, KEPT, "parent", called, false);
      } else {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      }
    }
  }
}
