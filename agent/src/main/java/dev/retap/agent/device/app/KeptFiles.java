// The app's files as bytes, so that another version of the app can take them over on another agent.
package dev.retap.agent.device.app;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

final class KeptFiles {
  private KeptFiles() {}

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
