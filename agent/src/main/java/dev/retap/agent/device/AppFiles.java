// What a file system tells that depends on the machine: the order of a folder's files and the time a
// file was written. Here folders are sorted and files written by the app are as old as its world.
package dev.retap.agent.device;

import java.io.File;
import java.io.FileFilter;
import java.io.FilenameFilter;
import java.util.Arrays;

public final class AppFiles {
  private static final long STARTED = System.currentTimeMillis();

  private AppFiles() {}

  public static long lastModified(File file) {
    long time = file.lastModified();
    return time > STARTED - 60_000 ? Time.EPOCH_MILLIS : time;
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
