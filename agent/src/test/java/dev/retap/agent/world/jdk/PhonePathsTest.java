// Paths of the phone lead to where its folders lie.
package dev.retap.agent.world.jdk;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;

import java.io.File;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class PhonePathsTest {
  @Before
  public void mount() {
    PhonePaths.mount("/proc/7", "/tmp/root/proc/self", "/proc", "/tmp/root/proc");
  }

  @After
  public void unmount() {
    PhonePaths.mount();
  }

  @Test
  public void aMountedFolderLiesElsewhere() {
    assertEquals("/tmp/root/proc/cpuinfo", PhonePaths.real("/proc/cpuinfo"));
    assertEquals("/tmp/root/proc", PhonePaths.real("/proc"));
  }

  @Test
  public void theFirstThatFitsCounts() {
    assertEquals("/tmp/root/proc/self/stat", PhonePaths.real("/proc/7/stat"));
    assertEquals("/tmp/root/proc/77/stat", PhonePaths.real("/proc/77/stat"));
  }

  @Test
  public void otherPathsStayAsTheyAre() {
    for (String path : new String[] {"/tmp/x", "/processes", "proc/cpuinfo", "/", ""}) {
      assertSame(path, PhonePaths.real(path));
    }
  }

  @Test
  public void theAgentsOwnFilesAreNotRedirected() {
    File file = new File("/proc/cpuinfo");
    assertSame(file, PhonePaths.redirect(file));
  }
}
