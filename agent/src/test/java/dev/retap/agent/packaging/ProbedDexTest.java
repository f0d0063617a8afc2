// Tests that the classes of a fixture become dex again, and that one which cannot is left out.
package dev.retap.agent.packaging;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.googlecode.d2j.reader.DexFileReader;
import dev.retap.agent.prepare.Translation;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class ProbedDexTest {
  private static final Path APK = Path.of("../fixtures/exit.apk");
  private static final int MIN_API = 21;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void countedClassesAndTheirKeepersBecomeDex() throws Exception {
    Path work = folder.getRoot().toPath();
    new ProbedDex(List.of(APK), framework(), MIN_API, work).make(names(work));
    List<String> made =
        new DexFileReader(Files.readAllBytes(work.resolve("dex/classes.dex"))).getClassNames();
    assertTrue(made.toString(), made.contains("Ldev/retap/probes/CoverageProvider;"));
    assertTrue(made.toString(), made.size() > 4);
    assertEquals(List.of(), Files.readAllLines(work.resolve("left.txt")));
  }

  @Test
  public void aClassThatCannotBecomeDexIsNamed() throws Exception {
    Path work = folder.getRoot().toPath();
    Path translated = work.resolve("t.jar");
    Translation.write(List.of(Files.readAllBytes(APK)), framework(), translated, null);
    Path probed = work.resolve("broken.jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(probed))) {
      out.putNextEntry(new ZipEntry("a/Broken.class"));
      out.write(new byte[] {1, 2, 3});
    }
    Dexer dexer = new Dexer(framework(), translated, MIN_API);
    Map<String, String> failed = dexer.write(probed, folder.newFolder("dex").toPath());
    assertEquals(List.of("a/Broken"), List.copyOf(failed.keySet()));
  }

  private static List<String> names(Path work) throws Exception {
    Path jar = work.resolve("names.jar");
    Translation.write(List.of(Files.readAllBytes(APK)), framework(), jar, null);
    try (java.util.zip.ZipFile zip = new java.util.zip.ZipFile(jar.toFile())) {
      return zip.stream().map(e -> e.getName().replace(".class", "")).toList();
    }
  }

  private static Path framework() throws URISyntaxException, IOException {
    return Path.of(
        android.app.Activity.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
