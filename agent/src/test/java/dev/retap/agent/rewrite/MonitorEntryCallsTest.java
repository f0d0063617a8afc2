package dev.retap.agent.rewrite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

public final class MonitorEntryCallsTest {
  private static final class Locked {
    private int count;

    int next() {
      synchronized (this) {
        return ++count;
      }
    }
  }

  @Test
  public void anExceptionOfTheInsertedCallLeavesTheMonitor() throws Exception {
    List<Boolean> guarded = new ArrayList<>();
    byte[] rewritten = CallRewriter.rewrite(RewrittenClasses.bytesOf(Locked.class), false);
    new ClassReader(rewritten).accept(new GuardFinder(guarded), 0);
    assertEquals(1, new Locked().next());
    assertEquals(1, guarded.size());
    assertTrue(guarded.get(0));
  }

  /** Records for each call of `monitorEntered` whether an exception handler covers it. */
  private static final class GuardFinder extends ClassVisitor {
    private final List<Boolean> guarded;

    GuardFinder(List<Boolean> guarded) {
      super(Opcodes.ASM9);
      this.guarded = guarded;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      Set<Label> starts = new HashSet<>();
      Set<Label> ends = new HashSet<>();
      return new MethodVisitor(Opcodes.ASM9) {
        private boolean inside;

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
          starts.add(start);
          ends.add(end);
        }

        @Override
        public void visitLabel(Label label) {
          inside = starts.contains(label) || inside && !ends.contains(label);
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String type, boolean isInterface) {
          if (called.equals("monitorEntered")) {
            guarded.add(inside);
          }
        }
      };
    }
  }
}
