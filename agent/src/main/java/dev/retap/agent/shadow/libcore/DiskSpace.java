// The phone's storage: half of it is free, whatever this machine has.
package dev.retap.agent.shadow.libcore;

import android.system.ErrnoException;
import android.system.OsConstants;
import android.system.StructStatVfs;
import java.io.File;
import java.util.Set;

public final class DiskSpace {
  private static final long BLOCK = 4096;
  private static final long BLOCKS = 12_500_000;
  private static final long FREE = 6_250_000;
  private static final long FILES = 3_276_800;
  private static final long LONGEST_NAME = 255;

  private static final Set<String> ABOVE_APPS =
      Set.of(
          "/",
          "/cache",
          "/data",
          "/data/app",
          "/data/data",
          "/data/user",
          "/data/user/0",
          "/mnt",
          "/storage",
          "/storage/emulated");

  public static final long TOTAL_BYTES = BLOCK * BLOCKS;
  public static final long FREE_BYTES = BLOCK * FREE;

  private DiskSpace() {}

  /** Returns true for a file, and for a folder above those of the apps, which nobody can list. */
  public static boolean exists(String path) {
    return ABOVE_APPS.contains(path) || new File(path).exists();
  }

  /** Returns the numbers of the file system that holds this file. */
  static StructStatVfs of(String path) throws ErrnoException {
    checkExists("statvfs", path);
    return new StructStatVfs(
        BLOCK, BLOCK, BLOCKS, FREE, FREE, FILES, FILES / 2, FILES / 2, 1, 0, LONGEST_NAME);
  }

  /** Throws what the kernel answers about a file that is not there. */
  static void checkExists(String call, String path) throws ErrnoException {
    if (!exists(path)) {
      throw new ErrnoException(call, OsConstants.ENOENT);
    }
  }
}
