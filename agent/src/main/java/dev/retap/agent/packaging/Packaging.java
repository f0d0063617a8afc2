// The tools of `retap instrument`. Each reads its request from a properties file, because passwords
// do not belong on a command line. retap itself takes APKs apart and packs them.
package dev.retap.agent.packaging;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

public final class Packaging {
  private Packaging() {}

  /** Makes the dex files with probes; see ProbedDex. */
  public static void makeDex(Path request) throws IOException {
    Properties asked = read(request);
    List<Path> apks = asked.getProperty("apks").lines().map(Path::of).toList();
    Path folder = Path.of(asked.getProperty("folder"));
    Path framework = Path.of(asked.getProperty("framework"));
    int minApi = Integer.parseInt(asked.getProperty("min-api"));
    List<String> names = Files.readAllLines(Path.of(asked.getProperty("classes")));
    new ProbedDex(apks, framework, minApi, folder).make(names);
  }

  /** Signs an APK; see Signature. */
  public static void sign(Path request) throws Exception {
    Properties asked = read(request);
    Signature signature =
        new Signature(
            Path.of(asked.getProperty("keystore")),
            asked.getProperty("alias"),
            asked.getProperty("password").toCharArray(),
            Integer.parseInt(asked.getProperty("min-api")));
    signature.sign(Path.of(asked.getProperty("unsigned")), Path.of(asked.getProperty("signed")));
  }

  private static Properties read(Path request) throws IOException {
    Properties asked = new Properties();
    try (Reader in = Files.newBufferedReader(request)) {
      asked.load(in);
    }
    return asked;
  }
}
