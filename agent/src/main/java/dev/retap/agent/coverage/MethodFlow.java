// Links a method's instructions and probes, visit by visit as JaCoCo's MethodAnalyzer does, so that
// both give the same totals. JaCoCo's class can answer for one set of executed probes only.
package dev.retap.agent.coverage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jacoco.core.analysis.ISourceNode;
import org.jacoco.core.internal.flow.IFrame;
import org.jacoco.core.internal.flow.LabelInfo;
import org.jacoco.core.internal.flow.MethodProbesVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

abstract class MethodFlow extends MethodProbesVisitor {
  private record Jump(Instruction source, Label target, int branch) {}

  private record Probe(Instruction shown, int branch, int id) {}

  private final Map<AbstractInsnNode, Instruction> instructions = new LinkedHashMap<>();
  private final Map<Label, Instruction> instructionAt = new HashMap<>();
  private final List<Label> labels = new ArrayList<>();
  private final List<Jump> jumps = new ArrayList<>();
  private final List<Probe> probes = new ArrayList<>();
  private AbstractInsnNode node;
  private Instruction current;
  private int line = ISourceNode.UNKNOWN_LINE;

  /** Receives, once, the instructions in order and the number of the first probe in the class. */
  abstract void done(MethodNode method, Map<AbstractInsnNode, Instruction> instructions, int first);

  @Override
  public void accept(MethodNode method, MethodVisitor visitor) {
    visitor.visitCode();
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      block.accept(visitor);
    }
    for (AbstractInsnNode next : method.instructions) {
      node = next;
      next.accept(visitor);
    }
    visitor.visitEnd();
    jumps.forEach(jump -> jump.source.addBranch(instructionAt.get(jump.target), jump.branch));
    int first = probes.isEmpty() ? 0 : probes.get(0).id;
    probes.forEach(probe -> probe.shown.show(probe.branch, probe.id - first));
    done(method, instructions, first);
  }

  @Override
  public void visitLabel(Label label) {
    labels.add(label);
    if (!LabelInfo.isSuccessor(label)) {
      current = null;
    }
  }

  @Override
  public void visitLineNumber(int number, Label start) {
    line = number;
  }

  @Override
  public void visitInsn(int opcode) {
    add();
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    add();
  }

  @Override
  public void visitVarInsn(int opcode, int variable) {
    add();
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    add();
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
    add();
  }

  @Override
  public void visitMethodInsn(
      int opcode, String owner, String name, String descriptor, boolean isInterface) {
    add();
  }

  @Override
  public void visitInvokeDynamicInsn(
      String name, String descriptor, Handle bootstrap, Object... arguments) {
    add();
  }

  @Override
  public void visitLdcInsn(Object constant) {
    add();
  }

  @Override
  public void visitIincInsn(int variable, int increment) {
    add();
  }

  @Override
  public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
    add();
  }

  @Override
  public void visitJumpInsn(int opcode, Label label) {
    add();
    jumps.add(new Jump(current, label, 1));
  }

  @Override
  public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... targets) {
    visitSwitch(otherwise, targets);
  }

  @Override
  public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] targets) {
    visitSwitch(otherwise, targets);
  }

  @Override
  public void visitProbe(int probe) {
    addProbe(0, probe);
    current = null;
  }

  @Override
  public void visitJumpInsnWithProbe(int opcode, Label label, int probe, IFrame frame) {
    add();
    addProbe(1, probe);
  }

  @Override
  public void visitInsnWithProbe(int opcode, int probe) {
    add();
    addProbe(0, probe);
  }

  @Override
  public void visitTableSwitchInsnWithProbes(
      int min, int max, Label otherwise, Label[] targets, IFrame frame) {
    visitSwitch(otherwise, targets);
  }

  @Override
  public void visitLookupSwitchInsnWithProbes(
      Label otherwise, int[] keys, Label[] targets, IFrame frame) {
    visitSwitch(otherwise, targets);
  }

  /** Adds one branch per different target, with a probe if the target needs one. */
  private void visitSwitch(Label otherwise, Label[] targets) {
    add();
    LabelInfo.resetDone(otherwise);
    LabelInfo.resetDone(targets);
    int branch = 0;
    visitTarget(otherwise, branch);
    for (Label target : targets) {
      visitTarget(target, ++branch);
    }
  }

  private void visitTarget(Label target, int branch) {
    if (LabelInfo.isDone(target)) {
      return;
    }
    int probe = LabelInfo.getProbeId(target);
    if (probe == LabelInfo.NO_PROBE) {
      jumps.add(new Jump(current, target, branch));
    } else {
      addProbe(branch, probe);
    }
    LabelInfo.setDone(target);
  }

  private void add() {
    Instruction added = new Instruction(line);
    labels.forEach(label -> instructionAt.put(label, added));
    labels.clear();
    if (current != null) {
      current.addBranch(added, 0);
    }
    current = added;
    instructions.put(node, added);
  }

  private void addProbe(int branch, int probe) {
    current.addBranch(branch);
    probes.add(new Probe(current, branch, probe));
  }
}
