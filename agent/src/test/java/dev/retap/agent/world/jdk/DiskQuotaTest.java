// The size of the phone's disk, measured in a folder of this test's own.
package dev.retap.agent.world.jdk;

import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.world.TestWorld;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public final class DiskQuotaTest {
  private static final long MEGABYTE = 1 << 20;
  private static final File FOLDER = makeDiskFolder();

  private RandomAccessFile file;

  /** Initialises the class under test, which reads the folder of the disk once. */
  private static File makeDiskFolder() {
    String before = System.getProperty("java.io.tmpdir");
    try {
      File folder = Files.createTempDirectory("disk").toFile();
      folder.deleteOnExit();
      System.setProperty("java.io.tmpdir", folder.getPath());
      DiskQuota.reset();
      return folder;
    } catch (IOException e) {
      throw new AssertionError(e);
    } finally {
      System.setProperty("java.io.tmpdir", before);
    }
  }

  @Before
  public void makeFile() throws IOException {
    file = new RandomAccessFile(new File(FOLDER, "file"), "rw");
    DiskQuota.reset();
  }

  @After
  public void deleteFile() throws IOException {
    file.close();
    assertTrue(new File(FOLDER, "file").delete());
  }

  @Test
  public void aFileLargerThanTheDiskIsRefused() {
    TestWorld.run(
        world -> {
          DiskQuota.checkGrow(file, 500 * MEGABYTE);
          IOException e =
              assertThrows(IOException.class, () -> DiskQuota.checkGrow(file, 513 * MEGABYTE));
          assertTrue(e.getMessage().contains("ENOSPC"));
        });
  }

  @Test
  public void aDiskThatSeemsFullIsMeasuredAgain() {
    TestWorld.run(
        world -> {
          for (int i = 0; i < 10; i++) {
            // The app announces each file and deletes it again, so the disk stays empty.
            DiskQuota.checkGrow(file, 400 * MEGABYTE);
          }
        });
  }

  @Test
  public void whatIsOnTheDiskCounts() {
    TestWorld.run(
        world -> {
          // A sparse file has its length without taking space on this machine.
          file.setLength(400 * MEGABYTE);
          DiskQuota.checkWrite((Object) file.getChannel(), 100 * MEGABYTE);
          DiskQuota.checkWrite((Object) file.getChannel(), 100 * MEGABYTE);
          assertThrows(
              IOException.class,
              () -> DiskQuota.checkWrite((Object) file.getChannel(), 400 * MEGABYTE));
        });
  }

  @Test
  public void everyWayToWriteIsCounted() {
    byte[] large = new byte[(int) (2 * MEGABYTE)];
    ByteBuffer buffer = ByteBuffer.wrap(large);
    TestWorld.run(
        world -> {
          file.setLength(511 * MEGABYTE);
          Object channel = file.getChannel();
          DiskQuota.checkWrite(channel, 511 * MEGABYTE);
          try (FileOutputStream out = new FileOutputStream(file.getFD())) {
            fails(() -> DiskQuota.checkWrite(out, large));
            fails(() -> DiskQuota.checkWrite(out, large.length));
            DiskQuota.checkWrite(out);
            fails(() -> DiskQuota.checkWrite(file, large));
            fails(() -> DiskQuota.checkWrite(file, large.length));
            DiskQuota.checkWrite(file);
            fails(() -> DiskQuota.checkWrite(channel, buffer));
            fails(() -> DiskQuota.checkWrite(channel, new ByteBuffer[] {buffer}, 0, 1));
            fails(() -> DiskQuota.checkMap(channel, FileChannel.MapMode.READ_WRITE, large.length));
            DiskQuota.checkMap(channel, FileChannel.MapMode.READ_ONLY, large.length);
          }
        });
  }

  @Test
  public void theHostMayWriteWithoutEnd() throws Exception {
    DiskQuota.checkGrow(file, 10_000 * MEGABYTE);
  }

  private interface Write {
    void run() throws IOException;
  }

  private static void fails(Write write) {
    IOException e = assertThrows(IOException.class, write::run);
    assertTrue(e.getMessage().contains("ENOSPC"));
  }
}
