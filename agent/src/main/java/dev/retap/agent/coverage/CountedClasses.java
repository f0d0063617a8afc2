// The classes of a prepared APK whose coverage counts: with probes for the app, without them for
// JaCoCo's tools, and the table of their units. They are cached beside the APK, by the classes'
// names.
package dev.retap.agent.coverage;

import dev.retap.agent.prepare.AtomicFolder;
import dev.retap.agent.rewrite.AppRewriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jacoco.core.internal.data.CRC64;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * @param folder the folder of the files that docs/agent.md names
 */
public record CountedClasses(Path folder) {
  /** Part of the cache key: raise it when a file's form changes. */
  private static final int FORM = 1;

  private static final String PROBED = "probed.jar";
  private static final String CLASSES = "classes.jar";
  private static final String TABLE = "units.table";
  private static final String COUNTS = "probes.table";

  /**
   * Returns the counted classes, which it makes if the cache does not hold them.
   *
   * @param translated all classes of the app, as they were translated
   * @param names the internal names of the classes that count; a class may be missing
   * @param passes makes the passes over a class after its probes are inserted
   */
  public static CountedClasses of(Path translated, Collection<String> names, Passes passes)
      throws IOException {
    TreeSet<String> sorted = new TreeSet<>(names);
    Path folder = translated.resolveSibling("counted-" + FORM + "-" + key(sorted));
    AtomicFolder.create(
        folder,
        work -> {
          AppRewriter last = passes.make();
          make(
              translated,
              sorted,
              (plain, index, probes) -> last.rewrite(ProbeInserter.insertForAgent(plain, index)),
              work);
        });
    return new CountedClasses(folder);
  }

  /** Makes the counted classes of an app that keeps its probes itself, in a folder that exists. */
  public static CountedClasses forApp(Path translated, Collection<String> names, Path folder)
      throws IOException {
    make(translated, new TreeSet<>(names), ProbeInserter::insertForApp, folder);
    return new CountedClasses(folder);
  }

  /** Makes the passes over classes, only where they are needed. */
  public interface Passes {
    AppRewriter make() throws IOException;
  }

  /** Inserts the probes of a class. Throws a RuntimeException if the class has no room for them. */
  private interface Insertion {
    byte[] insert(ClassReader plain, int classIndex, int probes);
  }

  /** Returns the jar of the classes with probes. */
  public Path probed() {
    return folder.resolve(PROBED);
  }

  /** Returns the number of probes of each class. */
  public int[] probes() throws IOException {
    return Files.readAllLines(folder.resolve(COUNTS)).stream()
        .mapToInt(Integer::parseInt)
        .toArray();
  }

  private static void make(Path translated, Iterable<String> names, Insertion insertion, Path work)
      throws IOException {
    UnitTable table = new UnitTable();
    List<String> counts = new ArrayList<>();
    try (ZipFile from = new ZipFile(translated.toFile());
        ZipOutputStream probed = new ZipOutputStream(Files.newOutputStream(work.resolve(PROBED)));
        ZipOutputStream plain = new ZipOutputStream(Files.newOutputStream(work.resolve(CLASSES)))) {
      for (String name : names) {
        ZipEntry entry = from.getEntry(name + ".class");
        if (entry == null) {
          continue;
        }
        byte[] bytes = from.getInputStream(entry).readAllBytes();
        ClassReader reader = new ClassReader(bytes);
        // JaCoCo leaves out classes that the compiler has added.
        if ((reader.getAccess() & Opcodes.ACC_SYNTHETIC) != 0) {
          continue;
        }
        ClassUnits units;
        byte[] instrumented;
        try {
          units = ClassUnits.of(reader);
          instrumented = insertion.insert(reader, table.classes(), units.probes());
        } catch (RuntimeException e) {
          // The class has no room for probes: it runs as it is and does not count.
          continue;
        }
        if (units.probes() == 0) {
          continue;
        }
        table.add(CRC64.classId(bytes), name, units.probes(), units.methods());
        counts.add(Integer.toString(units.probes()));
        write(probed, entry.getName(), instrumented);
        write(plain, entry.getName(), bytes);
      }
    }
    table.write(work.resolve(TABLE));
    Files.write(work.resolve(COUNTS), counts);
  }

  /** Writes an entry without the time of day, so that the same classes give the same file. */
  private static void write(ZipOutputStream out, String name, byte[] bytes) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(0);
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }

  private static String key(Iterable<String> names) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String name : names) {
        digest.update((name + "\n").getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
