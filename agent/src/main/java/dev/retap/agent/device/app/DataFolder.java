// The folder of the app's files. A reset empties it; a process death and an update keep it.
package dev.retap.agent.device.app;

import dev.retap.agent.world.jdk.DiskQuota;
import dev.retap.agent.world.jdk.FileTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

public final class DataFolder {
  private Path path;

  public Path path() {
    return path;
  }

  /** Returns the files as bytes. */
  public byte[] pack() {
    try {
      return KeptFiles.pack(path);
    } catch (IOException e) {
      throw new UncheckedIOException("data folder", e);
    }
  }

  /** Fills the folder with files that {@link #pack} returned. */
  public void unpack(byte[] packed) {
    try {
      KeptFiles.unpack(packed, path);
    } catch (IOException e) {
      throw new UncheckedIOException("data folder", e);
    }
  }

  /** Replaces the folder by an empty one. */
  public void wipe() {
    try {
      if (path != null) {
        EndedFolders.remove(path);
      }
      path = Files.createTempDirectory("retap-phone");
      DiskQuota.reset();
      FileTimes.reset();
    } catch (IOException e) {
      throw new UncheckedIOException("data folder", e);
    }
  }
}
