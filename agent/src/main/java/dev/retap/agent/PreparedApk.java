// An APK made ready to run, cached by its SHA-256: classes translated from dex, resource table in
// a form the host reads. A directory appears under its final name only when complete, so a
// preparation that was killed leaves nothing that could be believed.
package dev.retap.agent;

import com.googlecode.d2j.dex.Dex2jar;
import com.googlecode.d2j.reader.MultiDexFileReader;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Stream;

record PreparedApk(Path apk, Path translated, Path classes) {
  /** Part of the cache key: raise it when the prepared form changes. */
  private static final int FORM = 6;

  private static final String APK = "app.apk";
  private static final String TRANSLATED = "translated.jar";
  private static final String CLASSES = "classes.jar";

  static PreparedApk of(Path apk, Path cache) throws IOException {
    byte[] bytes = Files.readAllBytes(apk);
    Path home = cache.resolve(sha256(bytes) + "-" + FORM);
    if (!Files.isDirectory(home)) {
      Files.createDirectories(cache);
      Path work = Files.createTempDirectory(cache, "preparing-");
      try {
        Path nameless = work.resolve("nameless.jar");
        translate(bytes, nameless);
        Path translated = work.resolve(TRANSLATED);
        SourceFiles.copy(bytes, nameless, translated);
        Files.delete(nameless);
        CallRewriter.rewrite(translated, work.resolve(CLASSES));
        ResourceTable.copyApk(apk, work.resolve(APK));
        Files.move(work, home, StandardCopyOption.ATOMIC_MOVE);
      } catch (FileSystemException e) {
        // Another process may have prepared the same APK meanwhile; its result is as good.
        if (!Files.isDirectory(home)) {
          throw e;
        }
      } finally {
        delete(work);
      }
    }
    return new PreparedApk(home.resolve(APK), home.resolve(TRANSLATED), home.resolve(CLASSES));
  }

  private static void translate(byte[] apk, Path jar) throws IOException {
    Dex2jar.from(MultiDexFileReader.open(apk))
        .skipDebug(false)
        .computeFrames(false)
        .dontSanitizeNames(true)
        .to(jar);
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
  }
}
