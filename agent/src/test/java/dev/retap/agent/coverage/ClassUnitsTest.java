// The units that a set of probes shows agree with JaCoCo's own analysis: for every counter of every
// class of compiled libraries with some thousand methods, and for random sets of probes.
package dev.retap.agent.coverage;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.analysis.ISourceNode;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.internal.data.CRC64;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

public class ClassUnitsTest {
  private final Random random = new Random(1);
  private int branches;

  @Test
  public void javaClassesAreCountedAsJacocoCountsThem() throws Exception {
    checkJarOf(org.jacoco.core.JaCoCo.class);
    checkJarOf(org.junit.Assert.class);
    assertTrue("only " + branches + " branches", branches > 1_000);
  }

  @Test
  public void kotlinClassesAreCountedAsJacocoCountsThem() throws Exception {
    checkJarOf(kotlin.collections.CollectionsKt.class);
    assertTrue("only " + branches + " branches", branches > 1_000);
  }

  private void checkJarOf(Class<?> type) throws Exception {
    checkJar(Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()));
  }

  private void checkJar(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : zip.stream().filter(e -> e.getName().endsWith(".class")).toList()) {
        byte[] bytes = asTranslated(zip.getInputStream(entry).readAllBytes());
        int probes = ClassUnits.of(new ClassReader(bytes)).probes();
        for (double part : new double[] {0, 0.2, 0.7, 1}) {
          boolean[] executed = new boolean[probes];
          for (int i = 0; i < probes; i++) {
            executed[i] = random.nextDouble() < part;
          }
          check(bytes, executed);
        }
      }
    }
  }

  /** Dex keeps no map of inlined lines. */
  private static byte[] asTranslated(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public void visitSource(String source, String debug) {
            super.visitSource(source, null);
          }
        },
        0);
    return writer.toByteArray();
  }

  private void check(byte[] bytes, boolean[] executed) throws IOException {
    String name = new ClassReader(bytes).getClassName();
    ExecutionDataStore store = new ExecutionDataStore();
    store.put(new ExecutionData(CRC64.classId(bytes), name, executed));
    CoverageBuilder builder = new CoverageBuilder();
    new Analyzer(store, builder).analyzeClass(bytes, name);
    for (IClassCoverage theirs : builder.getClasses()) {
      List<UnitTable.Method> ours = ClassUnits.of(new ClassReader(bytes)).methods();
      branches += theirs.getBranchCounter().getTotalCount();
      int[] instructions = new int[2];
      int[] taken = new int[2];
      int[] methods = new int[2];
      Set<Integer> lines = new HashSet<>();
      Set<Integer> coveredLines = new HashSet<>();
      for (UnitTable.Method method : ours) {
        boolean entered = false;
        for (Instruction instruction : method.instructions()) {
          boolean shown = isShown(instruction.probes(), method, executed);
          entered |= shown;
          count(instructions, shown);
          if (instruction.line != ISourceNode.UNKNOWN_LINE) {
            lines.add(instruction.line);
          }
          if (shown && instruction.line != ISourceNode.UNKNOWN_LINE) {
            coveredLines.add(instruction.line);
          }
          if (instruction.branches.size() > 1) {
            instruction
                .branches
                .values()
                .forEach(probes -> count(taken, isShown(probes, method, executed)));
          }
        }
        if (!method.instructions().isEmpty()) {
          count(methods, entered);
        }
      }
      check(name + " instructions", theirs.getInstructionCounter(), instructions);
      check(name + " branches", theirs.getBranchCounter(), taken);
      check(name + " methods", theirs.getMethodCounter(), methods);
      check(
          name + " lines", theirs.getLineCounter(), new int[] {coveredLines.size(), lines.size()});
    }
  }

  private static boolean isShown(BitSet probes, UnitTable.Method method, boolean[] executed) {
    return probes.stream().anyMatch(probe -> executed[method.firstProbe() + probe]);
  }

  private static void count(int[] coveredAndTotal, boolean covered) {
    coveredAndTotal[0] += covered ? 1 : 0;
    coveredAndTotal[1]++;
  }

  private static void check(String what, ICounter theirs, int[] coveredAndTotal) {
    String expected = theirs.getCoveredCount() + " of " + theirs.getTotalCount();
    assertEquals(what, expected, coveredAndTotal[0] + " of " + coveredAndTotal[1]);
  }
}
