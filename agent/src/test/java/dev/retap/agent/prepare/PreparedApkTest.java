// A fixture made ready to run: translated, with its source files named, with its calls replaced.
package dev.retap.agent.prepare;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class PreparedApkTest {
  private static final Path APK = Path.of("../fixtures/exit.apk");
  private static final String ACTIVITY = "dev/retap/fixture/exit/MainActivity.class";

  @Rule public final TemporaryFolder cache = new TemporaryFolder();

  @Test
  public void anApkIsPreparedOnce() throws Exception {
    PreparedApk first = prepare();
    FileTime made = Files.getLastModifiedTime(first.classes());
    assertEquals(first, prepare());
    assertEquals(made, Files.getLastModifiedTime(first.classes()));
    assertEquals(1, new File(cache.getRoot(), "cache").list().length);
  }

  @Test
  public void classesNameTheirSourceAndHaveTheirCallsReplaced() throws Exception {
    PreparedApk apk = prepare();
    String translated = read(apk.translated());
    assertTrue(translated.contains("MainActivity.java"));
    assertTrue(translated.contains("java/lang/System"));
    String rewritten = read(apk.classes());
    assertTrue(rewritten.contains("AppCalls"));
    assertArrayEquals(Files.readAllBytes(APK), Files.readAllBytes(Path.of(apk.apkPaths().get(0))));
  }

  private PreparedApk prepare() throws Exception {
    Path folder = cache.getRoot().toPath();
    return PreparedApk.of(List.of(APK), List.of(), folder.resolve("cache"), 34, emptyJar(folder));
  }

  /** Returns a framework that has none of the app's classes. */
  private static Path emptyJar(Path folder) throws Exception {
    Path jar = folder.resolve("framework.jar");
    new ZipOutputStream(Files.newOutputStream(jar)).close();
    return jar;
  }

  private static String read(Path jar) throws Exception {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      byte[] bytes = zip.getInputStream(zip.getEntry(ACTIVITY)).readAllBytes();
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
  }
}
