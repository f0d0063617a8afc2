// Makes the dex files that an instrumented APK has in front of its own: the counted classes with
// probes, and the classes that keep them. A phone takes the first class of a name, so that the
// APK's own dex files stay as they are, and a class that cannot be translated is simply left out.
package dev.retap.agent.packaging;

import dev.retap.agent.coverage.CountedClasses;
import dev.retap.agent.prepare.Translation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * @param apks the base, then its splits
 * @param framework a jar of the framework, for the shapes of its classes
 * @param minApi the lowest API level that the dex files must run on
 * @param folder the folder for the results: the files of CountedClasses, `dex` and `left.txt`
 */
record ProbedDex(List<Path> apks, Path framework, int minApi, Path folder) {
  private static final String TRANSLATED = "translated.jar";

  /**
   * @param names the internal names of the classes that count
   */
  void make(List<String> names) throws IOException {
    Path translated = folder.resolve(TRANSLATED);
    UntranslatedMethods untranslated = new UntranslatedMethods();
    List<byte[]> files = new ArrayList<>();
    for (Path apk : apks) {
      files.add(Files.readAllBytes(apk));
    }
    Translation.write(files, framework, translated, untranslated);
    TreeSet<String> counted = new TreeSet<>(names);
    Map<String, String> left = new TreeMap<>(untranslated.reasons());
    left.keySet().retainAll(counted);
    counted.removeAll(left.keySet());
    Dexer dexer = new Dexer(framework, translated, minApi);
    CountedClasses made = CountedClasses.forApp(translated, counted, folder);
    Map<String, String> failed = dexer.write(made.probed(), dexFolder());
    if (!failed.isEmpty()) {
      // Their numbers are gone, so that all classes are counted anew.
      left.putAll(failed);
      counted.removeAll(failed.keySet());
      made = CountedClasses.forApp(translated, counted, folder);
      Map<String, String> still = dexer.write(made.probed(), dexFolder());
      if (!still.isEmpty()) {
        throw new IOException("the classes cannot become dex again: " + still);
      }
    }
    List<String> lines = new ArrayList<>();
    left.forEach((name, reason) -> lines.add(name + "\t" + reason.replaceAll("\\s+", " ")));
    Files.write(folder.resolve("left.txt"), lines);
  }

  private Path dexFolder() throws IOException {
    Path dex = folder.resolve("dex");
    Files.createDirectories(dex);
    try (Stream<Path> old = Files.list(dex)) {
      for (Path file : old.toList()) {
        Files.delete(file);
      }
    }
    return dex;
  }
}
