// Apache's HTTP client. A phone lends it to every app built for Android 8.1 or older, and the
// framework's jar lacks it. Its classes come from the agent's class path and become the app's.
package dev.retap.agent.device.app;

import dev.retap.agent.rewrite.CallRewriter;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

final class LegacyHttp {
  private static final List<String> PACKAGES =
      List.of("org/apache/http/", "org/apache/commons/logging/", "org/apache/commons/codec/");

  private LegacyHttp() {}

  /** Returns the class, ready to be defined beside the app's own, or null for any other class. */
  static byte[] bytes(String fileName) throws IOException {
    if (PACKAGES.stream().noneMatch(fileName::startsWith)) {
      return null;
    }
    try (InputStream in = ClassLoader.getSystemResourceAsStream(fileName)) {
      return in == null ? null : CallRewriter.rewrite(in.readAllBytes(), true);
    }
  }
}
