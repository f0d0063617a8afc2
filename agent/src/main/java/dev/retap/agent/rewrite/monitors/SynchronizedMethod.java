// Turns a synchronized method into one whose code enters and leaves the monitor itself, as dex has
// it: the JVM enters the monitor of a synchronized method before any code of it can call the
// scheduler. The class whose monitor a static method takes is kept in a variable, because the JVM
// never compiles a method whose monitors it cannot match.
package dev.retap.agent.rewrite.monitors;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

public final class SynchronizedMethod extends MethodVisitor {
  private final String owner;

  /** The variables of a static method with one more after its arguments; null for other methods. */
  private final SpareVariable spare;

  private final boolean hasFrames;
  private final List<Label> starts = new ArrayList<>();
  private final List<Label> ends = new ArrayList<>();

  private SynchronizedMethod(
      MethodVisitor next, String owner, int access, String descriptor, int version) {
    super(Opcodes.ASM9, next);
    this.owner = owner;
    spare = (access & Opcodes.ACC_STATIC) == 0 ? null : new SpareVariable(descriptor);
    hasFrames = (version & 0xffff) >= Opcodes.V1_6;
  }

  /** Returns true if the method is synchronized and has code. */
  public static boolean wants(int access) {
    return (access & Opcodes.ACC_SYNCHRONIZED) != 0 && (access & Opcodes.ACC_NATIVE) == 0;
  }

  /** Returns the visitor of a synchronized method, which is declared without that modifier. */
  public static MethodVisitor of(
      MethodVisitor next, String owner, int access, String descriptor, int version) {
    return new SynchronizedMethod(next, owner, access, descriptor, version);
  }

  @Override
  public void visitCode() {
    super.visitCode();
    if (spare == null) {
      loadMonitor();
    } else {
      super.visitLdcInsn(Type.getObjectType(owner));
      super.visitInsn(Opcodes.DUP);
      mv.visitVarInsn(Opcodes.ASTORE, spare.index());
    }
    super.visitInsn(Opcodes.MONITORENTER);
    startRange();
  }

  @Override
  public void visitInsn(int opcode) {
    boolean isReturn = opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
    if (isReturn) {
      loadMonitor();
      super.visitInsn(Opcodes.MONITOREXIT);
      endRange();
    }
    super.visitInsn(opcode);
    if (isReturn) {
      startRange();
    }
  }

  @Override
  public void visitVarInsn(int opcode, int variable) {
    super.visitVarInsn(opcode, moved(variable));
  }

  @Override
  public void visitIincInsn(int variable, int by) {
    super.visitIincInsn(moved(variable), by);
  }

  @Override
  public void visitLocalVariable(
      String name, String type, String signature, Label start, Label end, int index) {
    super.visitLocalVariable(name, type, signature, start, end, moved(index));
  }

  @Override
  public void visitFrame(int kind, int count, Object[] local, int depth, Object[] stack) {
    if (spare == null) {
      super.visitFrame(kind, count, local, depth, stack);
    } else {
      Object[] all = spare.frame(kind, count, local);
      boolean isWhole = kind == Opcodes.F_FULL || kind == Opcodes.F_NEW;
      int onStack = kind == Opcodes.F_SAME1 ? 1 : isWhole ? depth : 0;
      super.visitFrame(Opcodes.F_FULL, all.length, all, onStack, stack);
    }
  }

  @Override
  public void visitMaxs(int stack, int locals) {
    endRange();
    Label handler = ends.get(ends.size() - 1);
    if (hasFrames) {
      Object[] held = spare == null ? new Object[] {owner} : spare.atStart();
      Object[] caught = {"java/lang/Throwable"};
      mv.visitFrame(Opcodes.F_FULL, held.length, held, 1, caught);
    }
    loadMonitor();
    super.visitInsn(Opcodes.MONITOREXIT);
    super.visitInsn(Opcodes.ATHROW);
    for (int i = 0; i < starts.size(); i++) {
      if (starts.get(i).getOffset() < ends.get(i).getOffset()) {
        super.visitTryCatchBlock(starts.get(i), ends.get(i), handler, null);
      }
    }
    // A return value of two words and the monitor, or the exception and the monitor.
    super.visitMaxs(Math.max(stack + 1, 3), spare == null ? locals : locals + 1);
  }

  private void loadMonitor() {
    mv.visitVarInsn(Opcodes.ALOAD, spare == null ? 0 : spare.index());
  }

  private int moved(int variable) {
    return spare == null ? variable : spare.moved(variable);
  }

  private void startRange() {
    Label start = new Label();
    super.visitLabel(start);
    starts.add(start);
  }

  private void endRange() {
    Label end = new Label();
    super.visitLabel(end);
    ends.add(end);
  }
}
