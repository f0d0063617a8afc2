// The units of an app and, for each probe, the units that it shows. The table is made once per APK;
// the other side reads the file and turns probes into units (docs/agent.md, "Counted classes").
package dev.retap.agent.coverage;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jacoco.core.analysis.ISourceNode;

final class UnitTable {
  private static final int VERSION = 1;

  /** The kinds of units, in the order of their numbers in the file. */
  enum Kind {
    INSTRUCTION,
    BRANCH,
    LINE,
    METHOD
  }

  private record Unit(Kind kind, int weight, String name) {}

  /** A counted class: JaCoCo's id, its internal name, the units of each probe. */
  private record Counted(long id, String name, List<Set<Integer>> units) {}

  private final List<Unit> units = new ArrayList<>();
  private final List<Counted> classes = new ArrayList<>();
  private final Map<String, Integer> lines = new HashMap<>();

  int classes() {
    return classes.size();
  }

  void add(long id, String name, int probes, Iterable<Method> methods) {
    List<Set<Integer>> shown = new ArrayList<>();
    for (int i = 0; i < probes; i++) {
      shown.add(new TreeSet<>());
    }
    methods.forEach(method -> add(method, shown));
    classes.add(new Counted(id, name, shown));
  }

  /**
   * @param name `com.app.Main.onClick(Landroid/view/View;)V`
   * @param file the file that its line numbers refer to
   * @param firstProbe the number in the class of the probe that its instructions call 0
   */
  record Method(String name, String file, int firstProbe, List<Instruction> instructions) {}

  /**
   * Adds the units of a method in the order of the code, so that units that run together are a
   * range.
   */
  private void add(Method method, List<Set<Integer>> shown) {
    Map<BitSet, List<Instruction>> blocks = new LinkedHashMap<>();
    BitSet all = new BitSet();
    for (Instruction instruction : method.instructions) {
      BitSet probes = instruction.probes();
      all.or(probes);
      blocks.computeIfAbsent(probes, p -> new ArrayList<>()).add(instruction);
    }
    if (blocks.isEmpty()) {
      return;
    }
    show(unit(Kind.METHOD, 1, method.name), all, method, shown);
    Map<Integer, Integer> branchesOfLine = new HashMap<>();
    int number = 0;
    for (Map.Entry<BitSet, List<Instruction>> block : blocks.entrySet()) {
      List<Instruction> instructions = block.getValue();
      String name = method.name + at(instructions.get(0).line) + "/" + ++number;
      show(unit(Kind.INSTRUCTION, instructions.size(), name), block.getKey(), method, shown);
      for (Instruction instruction : instructions) {
        if (instruction.line != ISourceNode.UNKNOWN_LINE) {
          show(line(method.file, instruction.line), block.getKey(), method, shown);
        }
        if (instruction.branches.size() > 1) {
          for (BitSet probes : instruction.branches.values()) {
            int branch = branchesOfLine.merge(instruction.line, 1, Integer::sum);
            String branchName = method.name + at(instruction.line) + "#" + branch;
            show(unit(Kind.BRANCH, 1, branchName), probes, method, shown);
          }
        }
      }
    }
  }

  private static String at(int line) {
    return line == ISourceNode.UNKNOWN_LINE ? "" : ":" + line;
  }

  private int line(String file, int line) {
    return lines.computeIfAbsent(file + ":" + line, name -> unit(Kind.LINE, 1, name));
  }

  private int unit(Kind kind, int weight, String name) {
    units.add(new Unit(kind, weight, name));
    return units.size() - 1;
  }

  private static void show(int unit, BitSet probes, Method method, List<Set<Integer>> shown) {
    probes.stream().forEach(probe -> shown.get(method.firstProbe + probe).add(unit));
  }

  void write(Path file) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      out.writeInt(VERSION);
      out.writeInt(units.size());
      for (Unit unit : units) {
        out.writeByte(unit.kind.ordinal());
        out.writeInt(unit.weight);
        string(out, unit.name);
      }
      out.writeInt(classes.size());
      for (Counted counted : classes) {
        out.writeLong(counted.id);
        string(out, counted.name);
        out.writeInt(counted.units.size());
        for (Set<Integer> shown : counted.units) {
          out.writeInt(shown.size());
          for (int unit : shown) {
            out.writeInt(unit);
          }
        }
      }
    }
  }

  private static void string(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }
}
