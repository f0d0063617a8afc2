// Targets of the app's rewritten file calls whose results depend on the machine: the order of a
// folder's files, the time a file was written, the space on the disk. Here folders are sorted, and
// files that the app writes are as old as its world.
package dev.retap.agent.device.app;

import dev.retap.agent.shadow.libcore.DiskSpace;
import dev.retap.agent.world.VirtualClock;
import dev.retap.agent.world.jdk.FileTimes;
import dev.retap.agent.world.jdk.PhonePaths;
import java.io.File;
import java.io.FileFilter;
import java.io.FilenameFilter;
import java.io.IOException;
import java.util.Arrays;
import org.robolectric.RuntimeEnvironment;

public final class AppFiles {
  private static final long STARTED = System.currentTimeMillis();

  private AppFiles() {}

  /** Returns the file's time, or when the app opened it if it was written in this process. */
  public static long lastModified(File file) {
    long time = file.lastModified();
    return time > STARTED - 60_000
        ? FileTimes.of(PhonePaths.toHost(file).getPath(), VirtualClock.EPOCH_MILLIS)
        : time;
  }

  public static long getTotalSpace(File file) {
    return DiskSpace.exists(file.getPath()) ? DiskSpace.TOTAL_BYTES : 0;
  }

  public static long getFreeSpace(File file) {
    return DiskSpace.exists(file.getPath()) ? DiskSpace.FREE_BYTES : 0;
  }

  public static long getUsableSpace(File file) {
    return getFreeSpace(file);
  }

  /** Returns the folder of temporary files, which on a phone is the app's cache. */
  private static File temporary() {
    return RuntimeEnvironment.getApplication().getCacheDir();
  }

  public static File createTempFile(String prefix, String suffix) throws IOException {
    return File.createTempFile(prefix, suffix, temporary());
  }

  public static String[] list(File folder) {
    return sorted(folder.list());
  }

  public static String[] list(File folder, FilenameFilter filter) {
    return sorted(folder.list(filter));
  }

  public static File[] listFiles(File folder) {
    return sorted(folder.listFiles());
  }

  public static File[] listFiles(File folder, FilenameFilter filter) {
    return sorted(folder.listFiles(filter));
  }

  public static File[] listFiles(File folder, FileFilter filter) {
    return sorted(folder.listFiles(filter));
  }

  private static <T extends Comparable<?>> T[] sorted(T[] found) {
    if (found != null) {
      Arrays.sort(found);
    }
    return found;
  }
}
