// The folder of the app's files. A reset empties it; a process death and an update keep it.
package dev.retap.agent.device.app;

import dev.retap.agent.world.jdk.DiskQuota;
import dev.retap.agent.world.jdk.FileTimes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

public final class DataFolder {
  private Path path;

  public Path path() {
    return path;
  }

  /** Returns the files as bytes. */
  public byte[] pack() {
    try {
      return pack(path);
    } catch (IOException e) {
      throw new UncheckedIOException("data folder", e);
    }
  }

  /** Fills the folder with files that {@link #pack} returned. */
  public void unpack(byte[] packed) {
    try {
      unpack(packed, path);
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

  /** Packs the folders and plain files of a folder. Links and devices are left out. */
  static byte[] pack(Path folder) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files = walk.filter(file -> !file.equals(folder)).sorted().toList();
    }
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Path file : files) {
        String name = folder.relativize(file).toString();
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
          zip.putNextEntry(new ZipEntry(name + "/"));
        } else if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          zip.putNextEntry(new ZipEntry(name));
          Files.copy(file, zip);
        }
      }
    }
    return bytes.toByteArray();
  }

  /** Unpacks into a folder, and nowhere else. */
  static void unpack(byte[] packed, Path folder) throws IOException {
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(packed))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = folder.resolve(entry.getName()).normalize();
        if (!file.startsWith(folder)) {
          throw new IOException("a kept file lies outside: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(file);
        } else {
          Files.createDirectories(file.getParent());
          Files.copy(zip, file);
        }
      }
    }
  }
}
