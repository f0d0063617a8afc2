// Turns a synchronized method into one whose code enters and leaves the monitor itself, as dex has
// it: the JVM enters the monitor of a synchronized method before any code of it can call the
// scheduler.
package dev.retap.agent.rewrite.monitors;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

public final class SynchronizedMethod extends MethodVisitor {
  private final String owner;
  private final boolean isStatic;
  private final boolean hasFrames;
  private final List<Label> starts = new ArrayList<>();
  private final List<Label> ends = new ArrayList<>();

  private SynchronizedMethod(MethodVisitor next, String owner, int access, int version) {
    super(Opcodes.ASM9, next);
    this.owner = owner;
    isStatic = (access & Opcodes.ACC_STATIC) != 0;
    hasFrames = (version & 0xffff) >= Opcodes.V1_6;
  }

  /** Returns true if the method is synchronized and has code. */
  public static boolean wants(int access) {
    return (access & Opcodes.ACC_SYNCHRONIZED) != 0 && (access & Opcodes.ACC_NATIVE) == 0;
  }

  /** Returns the visitor of a synchronized method, which is declared without that modifier. */
  public static MethodVisitor of(MethodVisitor next, String owner, int access, int version) {
    return new SynchronizedMethod(next, owner, access, version);
  }

  @Override
  public void visitCode() {
    super.visitCode();
    loadMonitor();
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
  public void visitMaxs(int stack, int locals) {
    endRange();
    Label handler = ends.get(ends.size() - 1);
    if (hasFrames) {
      Object[] self = isStatic ? new Object[0] : new Object[] {owner};
      super.visitFrame(Opcodes.F_FULL, self.length, self, 1, new Object[] {"java/lang/Throwable"});
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
    super.visitMaxs(Math.max(stack + 1, 3), locals);
  }

  private void loadMonitor() {
    if (isStatic) {
      super.visitLdcInsn(Type.getObjectType(owner));
    } else {
      super.visitVarInsn(Opcodes.ALOAD, 0);
    }
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
