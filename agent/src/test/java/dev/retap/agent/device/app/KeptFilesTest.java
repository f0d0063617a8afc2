// The files that an update keeps.
package dev.retap.agent.device.app;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class KeptFilesTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void filesAndEmptyFoldersAreKeptAndLinksAreNot() throws IOException {
    Path from = folder.newFolder("from").toPath();
    Files.createDirectories(from.resolve("databases"));
    Files.createDirectories(from.resolve("cache"));
    Files.writeString(from.resolve("databases/notes"), "milk");
    Files.createSymbolicLink(from.resolve("link"), Path.of("/etc/hostname"));
    Path to = folder.newFolder("to").toPath();
    DataFolder.unpack(DataFolder.pack(from), to);
    assertEquals("milk", Files.readString(to.resolve("databases/notes")));
    assertTrue(Files.isDirectory(to.resolve("cache")));
    assertFalse(Files.exists(to.resolve("link")));
  }

  @Test
  public void nothingIsUnpackedOutsideTheFolder() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("../escaped"));
    }
    Path to = folder.newFolder("to").toPath();
    assertThrows(IOException.class, () -> DataFolder.unpack(bytes.toByteArray(), to));
    assertFalse(Files.exists(to.resolve("../escaped")));
  }
}
