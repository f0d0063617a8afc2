// The size of the phone's file systems, for every folder: 64 GB of storage, half of it free.
package dev.retap.agent.shadow.system;

import android.os.StatFs;
import java.io.File;
import java.util.Set;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(StatFs.class)
public class StatFsShadow {
  private static final long BLOCK = 4096;
  private static final long BLOCKS = 13_107_200;
  private static final long FREE = 6_553_600;

  /** Folders of a phone that nobody looks into here. */
  private static final Set<String> FOLDERS =
      Set.of("/", "/cache", "/data", "/data/app", "/data/data", "/mnt", "/storage", "/system");

  /** What the system keeps for itself. */
  private static final long RESERVED = 25_600;

  @Implementation
  protected void __constructor__(String path) {
    restat(path);
  }

  @Implementation
  protected void restat(String path) {
    if (!FOLDERS.contains(path) && !new File(path).exists()) {
      throw new IllegalArgumentException("Invalid path: " + path);
    }
  }

  @Implementation
  protected int getBlockSize() {
    return (int) BLOCK;
  }

  @Implementation
  protected long getBlockSizeLong() {
    return BLOCK;
  }

  @Implementation
  protected int getBlockCount() {
    return (int) BLOCKS;
  }

  @Implementation
  protected long getBlockCountLong() {
    return BLOCKS;
  }

  @Implementation
  protected int getFreeBlocks() {
    return (int) FREE;
  }

  @Implementation
  protected long getFreeBlocksLong() {
    return FREE;
  }

  @Implementation
  protected long getFreeBytes() {
    return FREE * BLOCK;
  }

  @Implementation
  protected int getAvailableBlocks() {
    return (int) (FREE - RESERVED);
  }

  @Implementation
  protected long getAvailableBlocksLong() {
    return FREE - RESERVED;
  }

  @Implementation
  protected long getAvailableBytes() {
    return (FREE - RESERVED) * BLOCK;
  }

  @Implementation
  protected long getTotalBytes() {
    return BLOCKS * BLOCK;
  }
}
