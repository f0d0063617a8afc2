// The archive returns rewritten classes, and only those that were made from the same original.
package dev.retap.agent.rewrite;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;

import java.nio.file.Files;
import java.nio.file.Path;
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
    FrameworkArchive.write(jar, null, folder.getRoot().toPath());
    FrameworkArchive archive = new FrameworkArchive(folder.getRoot().toPath());
    assertArrayEquals(
        WorldAgent.rewrite(SLEEPING, sleeper, null), archive.rewritten(SLEEPING, sleeper));
    assertSame(quiet, archive.rewritten(QUIET, quiet));
    assertNull("another original", archive.rewritten(QUIET, sleeper));
    assertNull("not in the list", archive.rewritten("app/Own", quiet));
  }

  private static void put(ZipOutputStream out, String name, byte[] bytes) throws Exception {
    out.putNextEntry(new ZipEntry(name + ".class"));
    out.write(bytes);
    out.closeEntry();
  }
}
