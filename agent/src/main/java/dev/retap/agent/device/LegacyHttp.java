// Apache's HTTP client, which a phone lends to every app built for Android 8.1 or older and which the
// framework's jar lacks. Its classes become the app's, from the library on the agent's class path.
package dev.retap.agent.device;

import dev.retap.agent.CallRewriter;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

final class LegacyHttp {
  private static final List<String> PACKAGES =
      List.of("org/apache/http/", "org/apache/commons/logging/", "org/apache/commons/codec/");

  private LegacyHttp() {}

  /** The class, ready to be defined beside the app's own; null for any other. */
  static byte[] bytes(String fileName) throws IOException {
    if (PACKAGES.stream().noneMatch(fileName::startsWith)) {
      return null;
    }
    try (InputStream in = ClassLoader.getSystemResourceAsStream(fileName)) {
      return in == null ? null : CallRewriter.rewrite(in.readAllBytes(), true);
    }
  }
}
