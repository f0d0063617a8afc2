// One instruction with the probes that show its execution, branch by branch. JaCoCo's own
// Instruction keeps "executed or not" for one set of probes; this class keeps the answer for all
// sets at once.
package dev.retap.agent.coverage;

import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;

final class Instruction {
  final int line;

  /** The probes of each branch, as distances from the method's first probe. */
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

  /** Adds a branch that is executed whenever its target is. */
  void addBranch(Instruction target, int branch) {
    branches.computeIfAbsent(branch, b -> new BitSet());
    target.before = this;
    target.branchOfBefore = branch;
  }

  /** Adds a branch that has a probe; call {@link #show} when all instructions are linked. */
  void addBranch(int branch) {
    branches.computeIfAbsent(branch, b -> new BitSet());
  }

  /** Adds the probe to the branch and to everything that leads there. */
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

  /** Returns the probes of which each shows that the instruction was executed. */
  BitSet probes() {
    BitSet all = new BitSet();
    branches.values().forEach(all::or);
    return all;
  }

  /** Returns this instruction with the probes of a duplicate added. */
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

  /** Returns this instruction with other branches, each executed when its target is. */
  Instruction withBranches(Iterable<Instruction> targets) {
    SortedMap<Integer, BitSet> replaced = new TreeMap<>();
    targets.forEach(target -> replaced.put(replaced.size(), target.probes()));
    return new Instruction(line, replaced);
  }
}
