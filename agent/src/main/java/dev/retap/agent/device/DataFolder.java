// Where the app keeps its files: emptied by a reset, kept through a process death.
package dev.retap.agent.device;

import dev.retap.agent.world.Storage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

final class DataFolder {
  /** Temporary folders of this agent and of the host; their names differ from run to run. */
  private static final Pattern TEMPORARY =
      Pattern.compile(
          Pattern.quote(System.getProperty("java.io.tmpdir"))
              + "/(retap-phone|robolectric-[a-z-]*)[0-9]+");

  private Path path;

  Path path() {
    return path;
  }

  /** The text with a phone's folder where it names one of this machine's. */
  static String hide(String text) {
    return text.indexOf('/') < 0 ? text : TEMPORARY.matcher(text).replaceAll("/data");
  }

  void wipe() {
    try {
      if (path != null) {
        delete(path);
      }
      path = Files.createTempDirectory("retap-phone");
      Storage.begin();
    } catch (IOException e) {
      throw new UncheckedIOException("data folder", e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
