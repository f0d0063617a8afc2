// A folder of the cache that appears under its name only when it is complete. The process may be
// killed at any moment and never leaves an incomplete folder that looks complete.
package dev.retap.agent.prepare;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

public final class AtomicFolder {
  private AtomicFolder() {}

  /** Creates the folder unless it exists: fills another one beside it and renames that. */
  public static void create(Path folder, ContentWriter content) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Files.createDirectories(folder.getParent());
    Path work = Files.createTempDirectory(folder.getParent(), "unfinished-");
    try {
      content.writeTo(work);
      Files.move(work, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      // Another process may have created the same folder meanwhile, with the same content.
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
  public interface ContentWriter {
    void writeTo(Path folder) throws IOException;
  }
}
