// An APK and its splits made ready to run, cached by their SHA-256: classes translated from dex, resource table in
// a form the host reads.
package dev.retap.agent;

import com.googlecode.d2j.dex.Dex2jar;
import com.googlecode.d2j.reader.BaseDexFileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

record PreparedApk(List<Path> apks, Path translated, Path classes) {
  /** Part of the cache key: raise it when the prepared form changes. */
  private static final int FORM = 7;

  private static final String TRANSLATED = "translated.jar";
  private static final String CLASSES = "classes.jar";

  static PreparedApk of(List<Path> apks, Path cache) throws IOException {
    List<byte[]> bytes = new ArrayList<>();
    for (Path apk : apks) {
      bytes.add(Files.readAllBytes(apk));
    }
    Path home = cache.resolve(sha256(bytes) + "-" + FORM);
    WholeFolder.make(
        home,
        work -> {
          Path nameless = work.resolve("nameless.jar");
          BaseDexFileReader code = DexFiles.of(bytes);
          translate(code, nameless);
          Path translated = work.resolve(TRANSLATED);
          SourceFiles.copy(code, nameless, translated);
          Files.delete(nameless);
          CallRewriter.rewrite(translated, work.resolve(CLASSES));
          for (int i = 0; i < apks.size(); i++) {
            ResourceTable.copyApk(apks.get(i), file(work, i));
          }
        });
    List<Path> files = IntStream.range(0, apks.size()).mapToObj(i -> file(home, i)).toList();
    return new PreparedApk(files, home.resolve(TRANSLATED), home.resolve(CLASSES));
  }

  List<String> names() {
    return apks.stream().map(Path::toString).toList();
  }

  private static Path file(Path home, int number) {
    return home.resolve(number == 0 ? "app.apk" : "split" + number + ".apk");
  }

  private static void translate(BaseDexFileReader code, Path jar) throws IOException {
    Dex2jar.from(code)
        .skipDebug(false)
        .computeFrames(false)
        .dontSanitizeNames(true)
        .to(jar);
  }

  private static String sha256(List<byte[]> files) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      files.forEach(digest::update);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
