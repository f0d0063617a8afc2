// The folders of the phone and where they lie on this machine. The app sees only the phone's names
// (/data/user/0/PACKAGE, /sdcard); the JDK's file methods map them before they ask the kernel, and
// map back what it answers.
package dev.retap.agent.world.jdk;

import dev.retap.agent.world.Scheduler;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;

public final class PhonePaths {
  /** Folders of the phone and of this machine in turn. Of several names the first is canonical. */
  private static volatile String[] folders = {};

  /** The same for the folders of the system, which only the app's threads see and only read. */
  private static volatile String[] system = {};

  /** The folders above the app's own. Only they are mapped: this machine may have such folders. */
  private static final Set<String> ABOVE =
      Set.of(
          "/data",
          "/data/app",
          "/data/data",
          "/data/user",
          "/data/user/0",
          "/data/user_de",
          "/data/user_de/0",
          "/storage",
          "/storage/emulated",
          "/storage/self");

  /** Folders that an app may pass through but not list. */
  private static final Set<String> CLOSED =
      Set.of(
          "/",
          "/data",
          "/data/app",
          "/data/data",
          "/data/user",
          "/data/user/0",
          "/data/user_de",
          "/data/user_de/0",
          "/storage/emulated",
          "/storage/self");

  /** The mode "r" of a random access file. */
  private static final int READ_ONLY = 1;

  /** A path at which nothing can be. */
  private static final String NOTHING = "/dev/null/closed";

  /** The shared storage on this machine, and who says what the app may reach in it. */
  private static volatile String shared = NOTHING;

  private static volatile SharedGuard sharedGuard = SharedGuard.OPEN;

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
    sharedGuard = SharedGuard.OPEN;
  }

  /**
   * Closes what the guard does not allow, for the app's threads.
   *
   * @param folder the shared storage by its name on the phone
   */
  public static void guardShared(String folder, SharedGuard guard) {
    shared = replace(folder, folders, 0);
    sharedGuard = guard;
  }

  /** Adds folders to the table. */
  public static void mapAlso(String... pairs) {
    String[] all = Arrays.copyOf(folders, folders.length + pairs.length);
    System.arraycopy(pairs, 0, all, folders.length, pairs.length);
    folders = all;
  }

  /** Replaces the table of the system's folders. */
  public static void mapSystem(String... pairs) {
    system = pairs.clone();
  }

  public static String toHost(String path) {
    String host = replace(path, folders, 0);
    if (host != path || path == null || !Scheduler.isAppThread()) {
      return host;
    }
    return isOfSystem(path) || ABOVE.contains(path) ? replace(path, system, 0) : host;
  }

  /** Maps a path that is about to be written. No file of the system can be. */
  public static String toHostForWriting(String path) {
    String host = replace(path, folders, 0);
    return host != path && isClosed(host, true) ? NOTHING + path : host;
  }

  /** Maps a path whose content is about to be read. */
  public static String toHostForReading(String path) {
    String host = toHost(path);
    return host != path && isClosed(host, false) ? NOTHING + path : host;
  }

  /** Returns true if a path of this machine is in the shared storage and not for the app. */
  private static boolean isClosed(String host, boolean forWriting) {
    if (!isBelow(host, shared) || !Scheduler.isAppThread()) {
      return false;
    }
    String path = host.substring(shared.length());
    return !(forWriting ? sharedGuard.mayWrite(path) : sharedGuard.mayRead(path));
  }

  /** Maps a path that is opened for writing, and notes the time. */
  public static String toHostForOutput(String path) {
    String host = toHostForWriting(path);
    FileTimes.opened(host);
    return host;
  }

  /** Maps a path that a random access file opens, in one of its modes. */
  public static String toHostInMode(String path, int mode) {
    return mode == READ_ONLY ? toHostForReading(path) : toHostForWriting(path);
  }

  public static File toHost(File file) {
    return file == null ? null : replaced(file, toHost(file.getPath()));
  }

  public static File toHostForWriting(File file) {
    return file == null ? null : replaced(file, toHostForWriting(file.getPath()));
  }

  /** Maps a folder that is about to be listed. Those that are closed to apps lead nowhere. */
  public static File toHostForListing(File file) {
    if (file == null) {
      return null;
    }
    String path = file.getPath();
    return CLOSED.contains(path) && Scheduler.isAppThread()
        ? new File(NOTHING)
        : replaced(file, toHostForReading(path));
  }

  private static File replaced(File file, String path) {
    return path == file.getPath() ? file : new File(path);
  }

  public static Path toHost(Path path) {
    if (!path.isAbsolute()) {
      return path;
    }
    String name = path.toString();
    String host = toHost(name);
    return host == name ? path : path.getFileSystem().getPath(host);
  }

  public static String toPhone(String path) {
    String phone = replace(path, folders, 1);
    return phone == path ? replace(path, system, 1) : phone;
  }

  public static File toPhone(File file) {
    return replaced(file, toPhone(file.getPath()));
  }

  public static Path toPhone(Path path) {
    String name = path.toString();
    String phone = toPhone(name);
    return phone == name ? path : path.getFileSystem().getPath(phone);
  }

  /** Returns the message of a file that cannot be opened: on the app's threads, Android's. */
  public static String openFailed(String path, String reason) {
    if (reason != null && path.startsWith(NOTHING)) {
      String closed = path.substring(NOTHING.length());
      return closed + ": open failed: EACCES (Permission denied)";
    }
    String name = toPhone(path);
    if (reason == null) {
      return name;
    }
    if (Scheduler.isAppThread()) {
      if (name == path && isOfSystem(path)) {
        return name + ": open failed: EROFS (Read-only file system)";
      }
      for (int i = 0; i < ERRORS.length; i += 2) {
        if (ERRORS[i].equals(reason)) {
          return name + ": open failed: " + ERRORS[i + 1] + " (" + reason + ")";
        }
      }
    }
    return name + " (" + reason + ")";
  }

  /** Replaces the folder of the given side of the pairs by that of the other side. */
  private static String replace(String path, String[] pairs, int side) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (isBelow(path, pairs[i + side])) {
        return pairs[i + 1 - side] + path.substring(pairs[i + side].length());
      }
    }
    return path;
  }

  private static boolean isOfSystem(String path) {
    return path.startsWith("/proc") || path.startsWith("/sys") || path.startsWith("/vendor");
  }

  private static boolean isBelow(String path, String folder) {
    return path != null
        && path.startsWith(folder)
        && (path.length() == folder.length() || path.charAt(folder.length()) == '/');
  }
}
