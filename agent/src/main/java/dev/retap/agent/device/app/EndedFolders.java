// The folders of ended processes. They are removed on a thread of the host, because some disks take
// milliseconds for each folder, which an app that starts need not wait for.
package dev.retap.agent.device.app;

import dev.retap.agent.world.ThreadGroups;
import dev.retap.agent.world.jdk.DiskQuota;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

final class EndedFolders {
  private static final Path FOLDER = DiskQuota.ENDED.toPath();
  private static Thread remover;

  private EndedFolders() {}

  /** Takes the folder away at once and removes it soon. At most one is being removed at a time. */
  static void remove(Path folder) throws IOException {
    awaitRemover();
    Files.createDirectories(FOLDER);
    Files.move(folder, FOLDER.resolve(folder.getFileName()));
    remover = new Thread(ThreadGroups.host(), EndedFolders::removeAll, "retap folder remover");
    remover.setDaemon(true);
    remover.setContextClassLoader(null);
    remover.start();
  }

  private static void awaitRemover() {
    try {
      if (remover != null) {
        remover.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void removeAll() {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(FOLDER)) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      // What a thread of an ended process writes at this moment goes with the next folder.
    }
  }
}
