// Lets a thread that has got a monitor wait for its turn. The call stands before the instruction that
// follows, so inside the range whose handler gives the monitor back: a method that could throw
// outside of it with the monitor held is one that the JVM never compiles.
package dev.retap.agent;

import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class MonitorEntry extends MethodVisitor {
  private boolean entered;

  MonitorEntry(MethodVisitor next) {
    super(Opcodes.ASM9, next);
  }

  private void beforeNext() {
    if (entered) {
      entered = false;
      mv.visitMethodInsn(Opcodes.INVOKESTATIC, CallTable.BLOCKING, "entered", "()V", false);
    }
  }

  @Override
  public void visitInsn(int opcode) {
    beforeNext();
    super.visitInsn(opcode);
    entered = opcode == Opcodes.MONITORENTER;
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    beforeNext();
    super.visitIntInsn(opcode, operand);
  }

  @Override
  public void visitVarInsn(int opcode, int variable) {
    beforeNext();
    super.visitVarInsn(opcode, variable);
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    beforeNext();
    super.visitTypeInsn(opcode, type);
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String type) {
    beforeNext();
    super.visitFieldInsn(opcode, owner, name, type);
  }

  @Override
  public void visitMethodInsn(
      int opcode, String owner, String name, String type, boolean isInterface) {
    beforeNext();
    super.visitMethodInsn(opcode, owner, name, type, isInterface);
  }

  @Override
  public void visitInvokeDynamicInsn(String name, String type, Handle method, Object... constants) {
    beforeNext();
    super.visitInvokeDynamicInsn(name, type, method, constants);
  }

  @Override
  public void visitJumpInsn(int opcode, Label to) {
    beforeNext();
    super.visitJumpInsn(opcode, to);
  }

  @Override
  public void visitLdcInsn(Object value) {
    beforeNext();
    super.visitLdcInsn(value);
  }

  @Override
  public void visitIincInsn(int variable, int by) {
    beforeNext();
    super.visitIincInsn(variable, by);
  }

  @Override
  public void visitTableSwitchInsn(int least, int most, Label otherwise, Label... labels) {
    beforeNext();
    super.visitTableSwitchInsn(least, most, otherwise, labels);
  }

  @Override
  public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
    beforeNext();
    super.visitLookupSwitchInsn(otherwise, keys, labels);
  }

  @Override
  public void visitMultiANewArrayInsn(String type, int dimensions) {
    beforeNext();
    super.visitMultiANewArrayInsn(type, dimensions);
  }
}
