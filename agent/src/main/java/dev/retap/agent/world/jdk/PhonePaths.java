// The folders of the phone and where they lie on this machine. The app sees only the phone's names
// (/data/user/0/PACKAGE, /sdcard); the JDK's file methods map them before they ask the kernel, and
// map back what it answers.
package dev.retap.agent.world.jdk;

import dev.retap.agent.world.Scheduler;
import java.io.File;
import java.nio.file.Path;

public final class PhonePaths {
  /** Folders of the phone and of this machine in turn. Of several names the first is canonical. */
  private static volatile String[] folders = {};

  /** The errors of open(2) that an app meets, as the kernel words them, and their names. */
  private static final String[] ERRORS = {
    "No such file or directory", "ENOENT",
    "Permission denied", "EACCES",
    "Is a directory", "EISDIR",
    "Not a directory", "ENOTDIR",
    "File exists", "EEXIST",
    "File name too long", "ENAMETOOLONG",
    "Read-only file system", "EROFS",
    "Too many open files", "EMFILE",
    "No space left on device", "ENOSPC",
    "Too many levels of symbolic links", "ELOOP",
  };

  private PhonePaths() {}

  /**
   * Replaces the table.
   *
   * @param pairs a folder of the phone and one of this machine, in turn; both absolute
   */
  public static void map(String... pairs) {
    folders = pairs.clone();
  }

  public static String toHost(String path) {
    String[] pairs = folders;
    for (int i = 0; i < pairs.length; i += 2) {
      if (isBelow(path, pairs[i])) {
        return pairs[i + 1] + path.substring(pairs[i].length());
      }
    }
    return path;
  }

  public static File toHost(File file) {
    if (file == null) {
      return null;
    }
    String path = file.getPath();
    String host = toHost(path);
    return host == path ? file : new File(host);
  }

  public static Path toHost(Path path) {
    if (folders.length == 0 || !path.isAbsolute()) {
      return path;
    }
    String name = path.toString();
    String host = toHost(name);
    return host == name ? path : path.getFileSystem().getPath(host);
  }

  public static String toPhone(String path) {
    String[] pairs = folders;
    for (int i = 0; i < pairs.length; i += 2) {
      if (isBelow(path, pairs[i + 1])) {
        return pairs[i] + path.substring(pairs[i + 1].length());
      }
    }
    return path;
  }

  public static File toPhone(File file) {
    String path = file.getPath();
    String phone = toPhone(path);
    return phone == path ? file : new File(phone);
  }

  public static Path toPhone(Path path) {
    String name = path.toString();
    String phone = toPhone(name);
    return phone == name ? path : path.getFileSystem().getPath(phone);
  }

  /** Returns the message of a file that cannot be opened: on the app's threads, Android's. */
  public static String openFailed(String path, String reason) {
    String name = toPhone(path);
    if (reason == null) {
      return name;
    }
    if (Scheduler.isAppThread()) {
      for (int i = 0; i < ERRORS.length; i += 2) {
        if (ERRORS[i].equals(reason)) {
          return name + ": open failed: " + ERRORS[i + 1] + " (" + reason + ")";
        }
      }
    }
    return name + " (" + reason + ")";
  }

  private static boolean isBelow(String path, String folder) {
    return path != null
        && path.startsWith(folder)
        && (path.length() == folder.length() || path.charAt(folder.length()) == '/');
  }
}
