// The archive returns rewritten classes, and only those that were made from the same original.
package dev.retap.agent.rewrite;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class FrameworkArchiveTest {
  /** Two names from the list of archived classes. */
  private static final String SLEEPING = "android/app/Activity";

  private static final String QUIET = "android/view/View";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private static final class Sleeper {
    void sleep() throws InterruptedException {
      Thread.sleep(1);
    }
  }

  private static final class Quiet {}

  @Test
  public void anArchivedClassEqualsTheClassRewrittenAgain() throws Exception {
    byte[] sleeper = RewrittenClasses.bytesOf(Sleeper.class);
    byte[] quiet = RewrittenClasses.bytesOf(Quiet.class);
    Path jar = folder.newFile("android.jar").toPath();
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      put(out, SLEEPING, sleeper);
      put(out, QUIET, quiet);
    }
    FrameworkArchive.write(jar, null, bytes -> bytes, folder.getRoot().toPath());
    FrameworkArchive archive = new FrameworkArchive(folder.getRoot().toPath());
    byte[] rewritten = WorldAgent.rewrite(SLEEPING, sleeper, null);
    assertArrayEquals(rewritten, archive.rewritten(SLEEPING, sleeper));
    assertArrayEquals(rewritten, archive.read(SLEEPING));
    assertArrayEquals(quiet, archive.read(QUIET));
    assertSame(quiet, archive.rewritten(QUIET, quiet));
    assertNull("another original", archive.rewritten(QUIET, sleeper));
    assertNull("not in the list", archive.rewritten("app/Own", quiet));
    assertNull("not in the list", archive.read("app/Own"));
  }

  @Test
  public void aClassThatTheSandboxDoesNotDefineIsLeftOut() throws Exception {
    byte[] quiet = RewrittenClasses.bytesOf(Quiet.class);
    Path jar = folder.newFile("android.jar").toPath();
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      put(out, QUIET, quiet);
    }
    FrameworkArchive.write(
        jar, null, bytes -> Arrays.equals(bytes, quiet) ? null : bytes, folder.getRoot().toPath());
    assertNull(new FrameworkArchive(folder.getRoot().toPath()).read(QUIET));
  }

  /** A loader that defines archived classes itself gets them as they are, any other rewritten. */
  @Test
  public void whatAReaderOfTheArchiveDefinesIsNotRewrittenAgain() throws Exception {
    byte[] sleeper = RewrittenClasses.bytesOf(Sleeper.class);
    Path jar = folder.newFile("android.jar").toPath();
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      put(out, SLEEPING, sleeper);
    }
    FrameworkArchive.write(jar, null, bytes -> bytes, folder.getRoot().toPath());
    FrameworkArchive archive = new FrameworkArchive(folder.getRoot().toPath());
    WorldAgent agent = new WorldAgent();
    WorldAgent.setArchive(archive);
    try {
      ClassLoader reader = new ReadingLoader(archive);
      ClassLoader other = getClass().getClassLoader();
      assertNull(agent.transform(reader, SLEEPING, null, null, archive.read(SLEEPING)));
      assertArrayEquals(
          archive.read(SLEEPING), agent.transform(other, SLEEPING, null, null, sleeper));
    } finally {
      WorldAgent.setArchive(null);
    }
  }

  private static final class ReadingLoader extends ClassLoader implements FrameworkArchive.Reader {
    private final FrameworkArchive archive;

    private ReadingLoader(FrameworkArchive archive) {
      this.archive = archive;
    }

    @Override
    public FrameworkArchive archive() {
      return archive;
    }
  }

  private static void put(ZipOutputStream out, String name, byte[] bytes) throws Exception {
    out.putNextEntry(new ZipEntry(name + ".class"));
    out.write(bytes);
    out.closeEntry();
  }
}
