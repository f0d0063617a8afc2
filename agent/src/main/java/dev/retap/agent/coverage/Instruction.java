// One instruction with the probes that show it was executed, branch by branch: what JaCoCo's own
// Instruction keeps as "executed or not", kept for all probes at once.
package dev.retap.agent.coverage;

import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;

final class Instruction {
  final int line;

  /** Probes by the branch they show, as distances from the method's first probe. */
  final SortedMap<Integer, BitSet> branches;

  private Instruction before;
  private int branchOfBefore;

  Instruction(int line) {
    this(line, new TreeMap<>());
  }

  Instruction(int line, SortedMap<Integer, BitSet> branches) {
    this.line = line;
    this.branches = branches;
  }

  /** A branch that is executed whenever its target is. */
  void addBranch(Instruction target, int branch) {
    branches.computeIfAbsent(branch, b -> new BitSet());
    target.before = this;
    target.branchOfBefore = branch;
  }

  /** A branch that has a probe; call {@link #show} when all instructions are linked. */
  void addBranch(int branch) {
    branches.computeIfAbsent(branch, b -> new BitSet());
  }

  /** This branch, and with it everything that leads here, is shown by the probe. */
  void show(int branch, int probe) {
    int shown = branch;
    for (Instruction at = this; at != null; at = at.before) {
      BitSet probes = at.branches.get(shown);
      if (probes.get(probe)) {
        return;
      }
      probes.set(probe);
      shown = at.branchOfBefore;
    }
  }

  /** The probes any of which shows that the instruction was executed. */
  BitSet probes() {
    BitSet all = new BitSet();
    branches.values().forEach(all::or);
    return all;
  }

  /** This instruction, also shown by what shows its duplicate. */
  Instruction merge(Instruction other) {
    SortedMap<Integer, BitSet> merged = new TreeMap<>();
    branches.forEach((branch, probes) -> merged.put(branch, (BitSet) probes.clone()));
    other.branches.forEach(
        (branch, probes) -> {
          if (merged.containsKey(branch)) {
            merged.get(branch).or(probes);
          }
        });
    return new Instruction(line, merged);
  }

  /** This instruction with other branches, each executed when its target is. */
  Instruction withBranches(Iterable<Instruction> targets) {
    SortedMap<Integer, BitSet> replaced = new TreeMap<>();
    targets.forEach(target -> replaced.put(replaced.size(), target.probes()));
    return new Instruction(line, replaced);
  }
}
