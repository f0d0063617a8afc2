// An APK and its splits, and the test APK if there is one, prepared to run and cached by their
// SHA-256: classes translated from dex, and resource tables in a form that Robolectric reads.
package dev.retap.agent.prepare;

import dev.retap.agent.rewrite.AppRewriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/**
 * @param apks the base, then its splits
 * @param tests the test APK, if there is one, and the app that it belongs to, if it drives another
 * @param translated the classes as they were translated
 * @param classes the same, rewritten
 * @param framework the jar of the framework that the app runs on
 * @param sharesClasses whether all processes of the app can share its classes
 */
public record PreparedApk(
    List<Path> apks,
    List<Path> tests,
    Path translated,
    Path classes,
    Path framework,
    boolean sharesClasses) {
  /** Part of the cache key: raise it when the prepared form changes. */
  private static final int FORM = 15;

  private static final String TRANSLATED = "translated.jar";
  private static final String CLASSES = "classes.jar";

  /** Exists if the classes cannot be shared. */
  private static final String ANEW = "anew";

  /**
   * Returns the prepared form, which it makes if the cache does not hold it.
   *
   * @param framework the jar of the framework that the app runs on
   */
  public static PreparedApk of(
      List<Path> apks, List<Path> tests, Path cache, int apiLevel, Path framework)
      throws IOException {
    List<byte[]> bytes = new ArrayList<>();
    // As on a phone, the tests' classes come first where both have one of a name.
    for (Path test : tests) {
      bytes.add(Files.readAllBytes(test));
    }
    for (Path apk : apks) {
      bytes.add(Files.readAllBytes(apk));
    }
    Path home = cache.resolve(sha256(bytes) + "-" + FORM + "-" + apiLevel);
    AtomicFolder.create(
        home,
        work -> {
          Path translated = work.resolve(TRANSLATED);
          Translation.write(bytes, framework, translated, null);
          rewrite(translated, framework, work);
          for (int i = 0; i < apks.size(); i++) {
            ResourceTable.copyApk(apks.get(i), apkFile(work, i));
          }
          for (int i = 0; i < tests.size(); i++) {
            ResourceTable.copyApk(tests.get(i), testFile(work, i));
          }
        });
    List<Path> files = IntStream.range(0, apks.size()).mapToObj(i -> apkFile(home, i)).toList();
    return new PreparedApk(
        files,
        IntStream.range(0, tests.size()).mapToObj(i -> testFile(home, i)).toList(),
        home.resolve(TRANSLATED),
        home.resolve(CLASSES),
        framework,
        !Files.exists(home.resolve(ANEW)));
  }

  /** Returns the passes over the app's classes. */
  public AppRewriter rewriter() throws IOException {
    return sharesClasses
        ? AppRewriter.forManyProcesses(translated, framework)
        : AppRewriter.forOneProcess(translated);
  }

  /** Returns the paths of the test APKs as strings. */
  public List<String> testPaths() {
    return tests.stream().map(Path::toString).toList();
  }

  /** Returns the paths of the APKs as strings. */
  public List<String> apkPaths() {
    return apks.stream().map(Path::toString).toList();
  }

  private static Path apkFile(Path home, int number) {
    return home.resolve(number == 0 ? "app.apk" : "split" + number + ".apk");
  }

  private static Path testFile(Path home, int number) {
    return home.resolve(number == 0 ? "test.apk" : "driver.apk");
  }

  /** Rewrites the classes so that processes share them, if each of them has room for that. */
  private static void rewrite(Path translated, Path framework, Path work) throws IOException {
    Path classes = work.resolve(CLASSES);
    try {
      AppRewriter.forManyProcesses(translated, framework).rewrite(translated, classes);
    } catch (RuntimeException tooLarge) {
      Files.createFile(work.resolve(ANEW));
      AppRewriter.forOneProcess(translated).rewrite(translated, classes);
    }
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
