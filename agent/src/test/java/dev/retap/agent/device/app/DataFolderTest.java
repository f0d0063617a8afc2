// A wiped folder is gone at once, whenever its files are removed.
package dev.retap.agent.device.app;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import dev.retap.agent.world.jdk.DiskQuota;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.Test;

public final class DataFolderTest {
  @Test
  public void theNextFolderIsEmptyAndTheLastOneGone() throws Exception {
    DataFolder folder = new DataFolder();
    for (int i = 0; i < 3; i++) {
      folder.wipe();
      Path path = folder.path();
      try (Stream<Path> files = Files.list(path)) {
        assertEquals(0, files.count());
      }
      Files.writeString(Files.createDirectories(path.resolve("data/files")).resolve("a"), "a");
      folder.wipe();
      assertFalse(Files.exists(path));
    }
    awaitEmpty(DiskQuota.ENDED.toPath());
  }

  private static void awaitEmpty(Path folder) throws Exception {
    for (int i = 0; i < 1_000; i++) {
      try (Stream<Path> files = Files.list(folder)) {
        if (files.findAny().isEmpty()) {
          return;
        }
      }
      Thread.sleep(10);
    }
    throw new AssertionError("what was wiped is never removed");
  }
}
