// The folders of a phone that lie elsewhere on this machine: an app that opens /proc/cpuinfo,
// /sdcard or its own /data/data gets the phone's file. Hooks in the JDK's file classes ask here.
package dev.retap.agent.world.jdk;

import dev.retap.agent.world.Scheduler;
import java.io.File;
import java.io.FileNotFoundException;
import java.nio.file.FileSystems;
import java.nio.file.Path;

public final class PhonePaths {
  /** Pairs of a phone's folder and the folder it lies in; the first that fits counts. */
  private static volatile String[] folders = {};

  private PhonePaths() {}

  /**
   * Replaces all mounted folders.
   *
   * @param pairs the phone's folder, then the one it lies in, and so on
   */
  public static void mount(String... pairs) {
    folders = pairs;
  }

  public static File redirect(File file) {
    if (file == null || !Scheduler.isAppThread()) {
      return file;
    }
    String path = file.getPath();
    String real = real(path);
    return real == path ? file : new File(real);
  }

  /** Redirects a file that is about to be written, which none of the system's can be. */
  public static File redirectForWriting(File file) throws FileNotFoundException {
    File real = redirect(file);
    if (real != file && isOfTheSystem(file.getPath())) {
      throw new FileNotFoundException(file + ": open failed: EROFS (Read-only file system)");
    }
    return real;
  }

  private static boolean isOfTheSystem(String path) {
    return path.startsWith("/sys") || path.startsWith("/vendor") || path.startsWith("/proc");
  }

  public static Path redirect(Path path) {
    if (path == null || !Scheduler.isAppThread() || !isOnDisk(path)) {
      return path;
    }
    String phones = path.toString();
    String real = real(phones);
    return real == phones ? path : path.getFileSystem().getPath(real);
  }

  /** Returns false for the paths inside archives. */
  private static boolean isOnDisk(Path path) {
    return path.getFileSystem() == FileSystems.getDefault();
  }

  /** Returns where the phone's path lies on this machine; the same object if nowhere else. */
  public static String real(String path) {
    if (path.length() < 4 || path.charAt(0) != '/') {
      return path;
    }
    String[] mounted = folders;
    for (int i = 0; i < mounted.length; i += 2) {
      String folder = mounted[i];
      if (path.startsWith(folder)
          && (path.length() == folder.length() || path.charAt(folder.length()) == '/')) {
        return mounted[i + 1] + path.substring(folder.length());
      }
    }
    return path;
  }
}
