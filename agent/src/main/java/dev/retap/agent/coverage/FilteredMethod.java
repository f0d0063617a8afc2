// A method's instructions after JaCoCo's filters: instructions that compilers add do not count, and
// copies of one source instruction count once.
package dev.retap.agent.coverage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jacoco.core.internal.analysis.filter.Filters;
import org.jacoco.core.internal.analysis.filter.IFilter;
import org.jacoco.core.internal.analysis.filter.IFilterContext;
import org.jacoco.core.internal.analysis.filter.IFilterOutput;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodNode;

final class FilteredMethod implements IFilterOutput {
  private static final IFilter FILTER = Filters.all();

  private final Map<AbstractInsnNode, Instruction> instructions;
  private final Set<AbstractInsnNode> ignored = new HashSet<>();
  private final Map<AbstractInsnNode, AbstractInsnNode> merged = new LinkedHashMap<>();
  private final Map<AbstractInsnNode, Set<AbstractInsnNode>> replaced = new HashMap<>();

  private FilteredMethod(Map<AbstractInsnNode, Instruction> instructions) {
    this.instructions = instructions;
  }

  /** Returns the instructions that count, in order. */
  static List<Instruction> of(
      MethodNode method, Map<AbstractInsnNode, Instruction> instructions, IFilterContext context) {
    FilteredMethod filtered = new FilteredMethod(instructions);
    FILTER.filter(method, context, filtered);
    filtered.merge();
    filtered.replace();
    List<Instruction> left = new ArrayList<>();
    instructions.forEach(
        (node, instruction) -> {
          if (!filtered.ignored.contains(node)) {
            left.add(instruction);
          }
        });
    return left;
  }

  @Override
  public void ignore(AbstractInsnNode from, AbstractInsnNode to) {
    for (AbstractInsnNode node = from; node != to; node = node.getNext()) {
      ignored.add(node);
    }
    ignored.add(to);
  }

  @Override
  public void merge(AbstractInsnNode one, AbstractInsnNode other) {
    AbstractInsnNode kept = representative(one);
    AbstractInsnNode dropped = representative(other);
    if (kept != dropped) {
      merged.put(dropped, kept);
    }
  }

  @Override
  public void replaceBranches(AbstractInsnNode source, Set<AbstractInsnNode> targets) {
    replaced.put(source, targets);
  }

  private void merge() {
    merged
        .keySet()
        .forEach(
            node -> {
              ignored.add(node);
              instructions.computeIfPresent(
                  representative(node), (n, kept) -> kept.merge(instructions.get(node)));
            });
    merged.keySet().forEach(node -> instructions.put(node, instructions.get(representative(node))));
  }

  /**
   * Replaces branches. The targets are a set without order, so they get their order in the method.
   */
  private void replace() {
    Map<AbstractInsnNode, Instruction> results = new HashMap<>();
    replaced.forEach(
        (node, targets) -> {
          List<Instruction> inOrder = new ArrayList<>();
          instructions.forEach(
              (other, instruction) -> {
                if (targets.contains(other)) {
                  inOrder.add(instruction);
                }
              });
          results.put(node, instructions.get(node).withBranches(inOrder));
        });
    instructions.putAll(results);
  }

  private AbstractInsnNode representative(AbstractInsnNode node) {
    AbstractInsnNode kept = node;
    for (AbstractInsnNode next = merged.get(node); next != null; next = merged.get(next)) {
      kept = next;
    }
    return kept;
  }
}
