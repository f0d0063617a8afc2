// A folder of the cache that appears under its name only when it is complete: making it may be killed
// at any moment and leaves nothing that could be believed.
package dev.retap.agent;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

public final class WholeFolder {
  private WholeFolder() {}

  /** Fills a folder beside it, unless it is there, and gives it its name. */
  public static void make(Path folder, Filling filling) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Files.createDirectories(folder.getParent());
    Path work = Files.createTempDirectory(folder.getParent(), "unfinished-");
    try {
      filling.into(work);
      Files.move(work, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      // Another process may have made the same meanwhile; its result is as good.
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    } finally {
      delete(work);
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }

  /** Writes the files of a folder. */
  public interface Filling {
    void into(Path folder) throws IOException;
  }
}
