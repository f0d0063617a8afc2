// A folder of the cache is complete or does not exist.
package dev.retap.agent.prepare;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class AtomicFolderTest {
  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Path folder;

  @Before
  public void nameFolder() {
    folder = temporary.getRoot().toPath().resolve("cache/made");
  }

  @Test
  public void aFolderAppearsWithItsFiles() throws Exception {
    AtomicFolder.create(
        folder,
        work -> {
          assertFalse("not under its name yet", Files.exists(folder));
          Files.writeString(work.resolve("file"), "content");
        });
    assertEquals("content", Files.readString(folder.resolve("file")));
    assertOnlyEntriesOfCache("made");
  }

  @Test
  public void aFolderThatExistsIsLeftAlone() throws Exception {
    AtomicFolder.create(folder, work -> Files.writeString(work.resolve("file"), "first"));
    AtomicFolder.create(folder, work -> Files.writeString(work.resolve("file"), "second"));
    assertEquals("first", Files.readString(folder.resolve("file")));
  }

  @Test
  public void aFailureLeavesNothing() throws Exception {
    assertThrows(
        IOException.class,
        () ->
            AtomicFolder.create(
                folder,
                work -> {
                  Files.writeString(work.resolve("file"), "half");
                  throw new IOException("the disk is full");
                }));
    assertOnlyEntriesOfCache();
  }

  @Test
  public void theResultOfAnotherProcessIsAsGood() throws Exception {
    AtomicFolder.create(
        folder,
        work -> {
          Files.createDirectories(folder);
          Files.writeString(folder.resolve("file"), "other");
          Files.writeString(work.resolve("file"), "own");
        });
    assertEquals("other", Files.readString(folder.resolve("file")));
    assertOnlyEntriesOfCache("made");
  }

  private void assertOnlyEntriesOfCache(String... names) {
    assertArrayEquals(names, folder.getParent().toFile().list());
  }
}
