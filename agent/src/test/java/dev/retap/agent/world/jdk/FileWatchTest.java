// Observers hear what the app does to files, and nothing of what the host does.
package dev.retap.agent.world.jdk;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import dev.retap.agent.world.TestWorld;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class FileWatchTest {
  private static final int ALL = 0xfff;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @After
  public void forget() {
    FileWatch.forget();
  }

  @Test
  public void aFolderHearsWhatHappensInIt() {
    File file = new File(folder.getRoot(), "x");
    TestWorld.run(
        world -> {
          int watch = FileWatch.add(folder.getRoot().getPath(), ALL);
          FileWatch.opening(file.getPath(), false);
          FileWatch.makingFolder(new File(folder.getRoot(), "y"));
          FileWatch.deleting(file);
          FileWatch.opening(new File(folder.getRoot(), "y/z").getPath(), false);
          FileWatch.renaming(folder.getRoot(), new File(folder.getRoot(), "moved"));
          assertEquals(
              List.of("256 x", "32 x", "1073742080 y", "1073743872 null", "1073741952 moved"),
              take(watch, 5));
        });
  }

  @Test
  public void aFileHearsOfItselfAndOnlyWhatItAskedFor() throws Exception {
    File file = folder.newFile("x");
    TestWorld.run(
        world -> {
          int watch = FileWatch.add(file.getPath(), 0x400 | 0x20);
          FileWatch.opening(file.getPath(), true);
          FileWatch.deleting(file);
          assertEquals(List.of("32 null", "1024 null"), take(watch, 2));
        });
  }

  @Test
  public void whatIsNotThereOrNoLongerWatchedIsQuiet() {
    TestWorld.run(
        world -> {
          assertEquals(-1, FileWatch.add(folder.getRoot() + "/none", ALL));
          FileWatch.remove(FileWatch.add(folder.getRoot().getPath(), ALL));
          FileWatch.creating(new File(folder.getRoot(), "x"));
          int watch = FileWatch.add(folder.getRoot().getPath(), ALL);
          FileWatch.creating(new File(folder.getRoot(), "y"));
          assertEquals(List.of("256 y"), take(watch, 1));
        });
    assertFalse("nobody has read events", FileWatch.forget());
  }

  private static List<String> take(int watch, int count) throws InterruptedException {
    List<String> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      FileWatch.Event event = FileWatch.next();
      assertEquals(watch, event.watch());
      taken.add(event.mask() + " " + event.name());
    }
    return taken;
  }
}
