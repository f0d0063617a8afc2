// The kernel's watch over files: what the app does to a file, or to one in a folder, is told to the
// observers of it, in the order in which it happens.
package dev.retap.agent.world.jdk;

import dev.retap.agent.world.Blocking;
import dev.retap.agent.world.Scheduler;
import dev.retap.agent.world.memory.UnsafeMemory;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

public final class FileWatch {
  /** What happens to a file, as the kernel numbers it. */
  private static final int MODIFY = 0x2;

  private static final int CLOSE_WRITE = 0x8;
  private static final int OPEN = 0x20;
  private static final int MOVED_FROM = 0x40;
  private static final int MOVED_TO = 0x80;
  private static final int CREATE = 0x100;
  private static final int DELETE = 0x200;
  private static final int DELETE_SELF = 0x400;
  private static final int MOVE_SELF = 0x800;
  private static final int IS_FOLDER = 0x40000000;

  private record WatchedPath(int id, String path, int mask) {}

  /**
   * Something that happened.
   *
   * @param name the file's name if a folder is watched, or null if the file itself is
   */
  public record Event(int watch, int mask, String name) {}

  private static final List<WatchedPath> WATCHES = new ArrayList<>();
  private static final ArrayDeque<Event> EVENTS = new ArrayDeque<>();
  private static volatile boolean isWatched;
  private static boolean isOpen;
  private static int nextId = 1;

  private FileWatch() {}

  /** Notes that the process reads events from now on. */
  public static void open() {
    isOpen = true;
  }

  /** Forgets the watches of an ended process; returns true if it read events. */
  public static boolean forget() {
    boolean wasOpen = isOpen;
    synchronized (EVENTS) {
      WATCHES.clear();
      EVENTS.clear();
    }
    isOpen = false;
    isWatched = false;
    nextId = 1;
    return wasOpen;
  }

  /** Watches a file or folder of the phone; returns the number of the watch, or -1. */
  public static int add(String path, int mask) {
    String host = PhonePaths.toHost(new File(path).getAbsolutePath());
    if (!new File(host).exists()) {
      return -1;
    }
    synchronized (EVENTS) {
      WATCHES.add(new WatchedPath(nextId, host, mask));
      isWatched = true;
      return nextId++;
    }
  }

  public static void remove(int id) {
    synchronized (EVENTS) {
      WATCHES.removeIf(watch -> watch.id == id);
      isWatched = !WATCHES.isEmpty();
    }
  }

  /** Waits for the next event. */
  public static Event next() throws InterruptedException {
    synchronized (EVENTS) {
      while (EVENTS.isEmpty()) {
        Blocking.await(EVENTS);
      }
      return EVENTS.poll();
    }
  }

  /** A file of this machine is about to be opened for writing. */
  public static void opening(String path, boolean append) {
    if (isQuiet()) {
      return;
    }
    File file = new File(path);
    boolean exists = file.exists();
    if (!exists && !file.getAbsoluteFile().getParentFile().exists()) {
      return;
    }
    if (!exists) {
      tell(file, CREATE);
    }
    tell(file, OPEN);
    if (exists && !append && file.length() > 0) {
      tell(file, MODIFY);
    }
  }

  /** Bytes are about to be written. */
  public static void writing(FileOutputStream out) {
    if (!isQuiet()) {
      tell(out, MODIFY);
    }
  }

  public static void closing(FileOutputStream out) {
    if (!isQuiet()) {
      tell(out, CLOSE_WRITE);
    }
  }

  public static void creating(File file) {
    if (!isQuiet() && !file.exists()) {
      tell(file, CREATE);
      tell(file, OPEN);
      tell(file, CLOSE_WRITE);
    }
  }

  public static void makingFolder(File folder) {
    if (!isQuiet() && !folder.exists()) {
      tell(folder, CREATE | IS_FOLDER);
    }
  }

  public static void deleting(File file) {
    if (!isQuiet() && file.exists()) {
      tell(file, DELETE | (file.isDirectory() ? IS_FOLDER : 0));
    }
  }

  public static void renaming(File from, File to) {
    if (!isQuiet() && from.exists()) {
      int kind = from.isDirectory() ? IS_FOLDER : 0;
      tell(from, MOVED_FROM | kind);
      tell(to, MOVED_TO | kind);
    }
  }

  private static boolean isQuiet() {
    return !isWatched || !Scheduler.isAppThread();
  }

  private static void tell(FileOutputStream out, int what) {
    try {
      Object path = UnsafeMemory.field(out, "path");
      if (path != null && out.getFD().valid()) {
        tell(new File(PhonePaths.toHost((String) path)), what);
      }
    } catch (IOException e) {
      // A stream without a descriptor writes nothing.
      return;
    }
  }

  private static void tell(File file, int what) {
    String path = file.getAbsolutePath();
    String folder = file.getAbsoluteFile().getParent();
    synchronized (EVENTS) {
      for (WatchedPath watch : WATCHES) {
        if (watch.path.equals(folder)) {
          queue(watch, what, file.getName());
        } else if (watch.path.equals(path)) {
          queue(watch, ofItself(what), null);
        }
      }
    }
  }

  /** Returns what a watched file is told about itself; it does not hear that it is made. */
  private static int ofItself(int what) {
    int folder = what & IS_FOLDER;
    return switch (what & ~IS_FOLDER) {
      case DELETE -> DELETE_SELF | folder;
      case MOVED_FROM -> MOVE_SELF | folder;
      case CREATE, MOVED_TO -> 0;
      default -> what;
    };
  }

  private static void queue(WatchedPath watch, int what, String name) {
    if ((watch.mask & what) != 0) {
      EVENTS.add(new Event(watch.id, what, name));
      Blocking.notifyEvery(EVENTS);
    }
  }
}
