// The names of folders on the phone and on this machine.
package dev.retap.agent.world.jdk;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;

import dev.retap.agent.world.TestWorld;
import java.io.File;
import java.nio.file.Path;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public final class PhonePathsTest {
  @Before
  public void map() {
    PhonePaths.map(
        "/data/user/0/org.app", "/host/data",
        "/data/data/org.app", "/host/data",
        "/storage/emulated/0", "/host/shared",
        "/sdcard", "/host/shared");
    PhonePaths.mapSystem(
        "/proc/7", "/host/proc/self", "/proc", "/host/proc", "/data", "/host/system/data");
  }

  @After
  public void forget() {
    PhonePaths.map();
    PhonePaths.mapSystem();
  }

  @Test
  public void onlyTheAppReadsThePhonesSystem() {
    File host = new File("/proc/cpuinfo");
    assertSame(host, PhonePaths.toHost(host));
    TestWorld.run(
        world -> {
          assertEquals("/host/proc/cpuinfo", PhonePaths.toHost("/proc/cpuinfo"));
          assertEquals("/host/proc/self/stat", PhonePaths.toHost("/proc/7/stat"));
          assertEquals("/host/proc/stat", PhonePaths.toHostInMode("/proc/stat", 1));
          assertEquals("/proc/stat", PhonePaths.toHostInMode("/proc/stat", 2));
          assertEquals("/proc/77", PhonePaths.toPhone(PhonePaths.toHost("/proc/77")));
        });
  }

  @Test
  public void theFoldersAboveTheAppsOwnAreThereButClosed() {
    File users = new File("/data/user");
    assertSame(users, PhonePaths.toHostForListing(users));
    TestWorld.run(
        world -> {
          assertEquals(new File("/host/system/data/user"), PhonePaths.toHost(users));
          assertFalse(PhonePaths.toHostForListing(users).exists());
          assertFalse(PhonePaths.toHostForListing(new File("/")).exists());
          assertEquals("/data/elsewhere", PhonePaths.toHost("/data/elsewhere"));
          assertEquals("/data/user", PhonePaths.toHostForWriting("/data/user"));
        });
  }

  @Test
  public void nobodyWritesThePhonesSystem() {
    TestWorld.run(
        world -> {
          assertEquals("/proc/cpuinfo", PhonePaths.toHostForWriting("/proc/cpuinfo"));
          assertEquals(
              "/proc/cpuinfo: open failed: EROFS (Read-only file system)",
              PhonePaths.openFailed("/proc/cpuinfo", "Permission denied"));
        });
  }

  @Test
  public void whatTheGuardOfTheSharedStorageRefusesIsClosedToTheApp() {
    PhonePaths.guardShared(
        "/storage/emulated/0",
        new SharedGuard() {
          @Override
          public boolean mayRead(String path) {
            return !path.isEmpty();
          }

          @Override
          public boolean mayWrite(String path) {
            return path.startsWith("/Download/");
          }
        });
    File card = new File("/sdcard");
    assertEquals(new File("/host/shared"), PhonePaths.toHostForListing(card));
    TestWorld.run(
        world -> {
          assertFalse(PhonePaths.toHostForListing(card).exists());
          assertEquals("/host/shared", PhonePaths.toHost("/sdcard"));
          assertEquals("/host/shared/a", PhonePaths.toHostForReading("/sdcard/a"));
          assertEquals(
              "/host/shared/Download/a", PhonePaths.toHostForWriting("/sdcard/Download/a"));
          assertEquals("/host/data/a", PhonePaths.toHostForWriting("/data/data/org.app/a"));
          String closed = PhonePaths.toHostForWriting("/sdcard/a");
          assertEquals(
              "/sdcard/a: open failed: EACCES (Permission denied)",
              PhonePaths.openFailed(closed, "Not a directory"));
        });
  }

  @Test
  public void aFolderHasAllItsNames() {
    assertEquals("/host/data/files/a", PhonePaths.toHost("/data/user/0/org.app/files/a"));
    assertEquals("/host/data/files/a", PhonePaths.toHost("/data/data/org.app/files/a"));
    assertEquals("/host/shared", PhonePaths.toHost("/sdcard"));
    assertEquals(new File("/host/shared/b"), PhonePaths.toHost(new File("/sdcard/b")));
    assertEquals(Path.of("/host/shared/b"), PhonePaths.toHost(Path.of("/sdcard/b")));
  }

  @Test
  public void theFirstNameIsTheCanonicalOne() {
    assertEquals("/data/user/0/org.app/x", PhonePaths.toPhone("/host/data/x"));
    assertEquals(new File("/storage/emulated/0"), PhonePaths.toPhone(new File("/host/shared")));
    assertEquals(Path.of("/storage/emulated/0"), PhonePaths.toPhone(Path.of("/host/shared")));
  }

  @Test
  public void otherPathsStayAsTheyAre() {
    for (String path : new String[] {"/data/user/0/org.apple", "/sdcards", "sdcard", "", "/"}) {
      assertSame(path, PhonePaths.toHost(path));
    }
    File file = new File("relative");
    assertSame(file, PhonePaths.toHost(file));
    Path path = Path.of("/etc");
    assertSame(path, PhonePaths.toHost(path));
  }

  @Test
  public void aFileThatCannotBeOpenedReadsAsOnAPhone() {
    TestWorld.run(
        world ->
            assertEquals(
                "/storage/emulated/0/x: open failed: ENOENT (No such file or directory)",
                PhonePaths.openFailed("/host/shared/x", "No such file or directory")));
    assertEquals("/etc/x (Odd)", PhonePaths.openFailed("/etc/x", "Odd"));
  }
}
