// Calls the scheduler before each instruction that enters a monitor, so that threads which waited
// for it come first, and after it, so that a detached thread waits for the baton. The second call
// stands before the next instruction and thus inside the range whose handler leaves the monitor
// again. The JVM never compiles a method that can throw outside that range with the monitor held.
package dev.retap.agent.rewrite.monitors;

import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

public final class MonitorEntryCalls extends MethodVisitor {
  private static final String BLOCKING = "dev/retap/agent/world/Blocking";

  private boolean entered;

  public MonitorEntryCalls(MethodVisitor next) {
    super(Opcodes.ASM9, next);
  }

  private void callIfEntered() {
    if (entered) {
      entered = false;
      mv.visitMethodInsn(Opcodes.INVOKESTATIC, BLOCKING, "monitorEntered", "()V", false);
    }
  }

  @Override
  public void visitInsn(int opcode) {
    callIfEntered();
    if (opcode == Opcodes.MONITORENTER) {
      super.visitInsn(Opcodes.DUP);
      mv.visitMethodInsn(
          Opcodes.INVOKESTATIC, BLOCKING, "monitorWanted", "(Ljava/lang/Object;)V", false);
      entered = true;
    }
    super.visitInsn(opcode);
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    callIfEntered();
    super.visitIntInsn(opcode, operand);
  }

  @Override
  public void visitVarInsn(int opcode, int variable) {
    callIfEntered();
    super.visitVarInsn(opcode, variable);
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    callIfEntered();
    super.visitTypeInsn(opcode, type);
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String type) {
    callIfEntered();
    super.visitFieldInsn(opcode, owner, name, type);
  }

  @Override
  public void visitMethodInsn(
      int opcode, String owner, String name, String type, boolean isInterface) {
    callIfEntered();
    super.visitMethodInsn(opcode, owner, name, type, isInterface);
  }

  @Override
  public void visitInvokeDynamicInsn(String name, String type, Handle method, Object... constants) {
    callIfEntered();
    super.visitInvokeDynamicInsn(name, type, method, constants);
  }

  @Override
  public void visitJumpInsn(int opcode, Label to) {
    callIfEntered();
    super.visitJumpInsn(opcode, to);
  }

  @Override
  public void visitLdcInsn(Object value) {
    callIfEntered();
    super.visitLdcInsn(value);
  }

  @Override
  public void visitIincInsn(int variable, int by) {
    callIfEntered();
    super.visitIincInsn(variable, by);
  }

  @Override
  public void visitTableSwitchInsn(int least, int most, Label otherwise, Label... labels) {
    callIfEntered();
    super.visitTableSwitchInsn(least, most, otherwise, labels);
  }

  @Override
  public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
    callIfEntered();
    super.visitLookupSwitchInsn(otherwise, keys, labels);
  }

  @Override
  public void visitMultiANewArrayInsn(String type, int dimensions) {
    callIfEntered();
    super.visitMultiANewArrayInsn(type, dimensions);
  }
}
