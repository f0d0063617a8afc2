// The offsets of a mapped zip file are those that Robolectric reads one by one.
package dev.retap.agent.rewrite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.robolectric.res.android.FileMap;
import org.robolectric.res.android.ZipOffsets;

public final class ZipOffsetsTest {
  private static final byte[] STORED = "some data".getBytes(StandardCharsets.UTF_8);
  private static final byte[] EXTRA = {0x34, 0x12, 2, 0, 7, 7};

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void theOffsetsAreThoseOfRobolectric() throws Exception {
    File zip = zip("a comment that is longer than the record before it");
    Map<String, Long> offsets = ZipOffsets.guessDataOffsets(zip, (int) zip.length());
    assertEquals(robolectric(zip), offsets);
    assertEquals(3, offsets.size());
  }

  @Test
  public void dataOfAStoredEntryLieAtItsOffset() throws Exception {
    File zip = zip("");
    int at = ZipOffsets.guessDataOffsets(zip, (int) zip.length()).get("assets/stored").intValue();
    byte[] bytes = Files.readAllBytes(zip.toPath());
    assertEquals(
        new String(STORED, StandardCharsets.UTF_8),
        new String(Arrays.copyOfRange(bytes, at, at + STORED.length), StandardCharsets.UTF_8));
  }

  @Test
  public void aFileThatIsCutIsRefused() throws Exception {
    File zip = zip("");
    byte[] bytes = Files.readAllBytes(zip.toPath());
    Files.write(zip.toPath(), Arrays.copyOf(bytes, bytes.length - 30));
    assertThrows(
        RuntimeException.class, () -> ZipOffsets.guessDataOffsets(zip, (int) zip.length()));
  }

  private File zip(String comment) throws IOException {
    File file = folder.newFile();
    try (ZipOutputStream out = new ZipOutputStream(new FileOutputStream(file))) {
      out.setComment(comment);
      out.putNextEntry(new ZipEntry("res/layout/käse.xml"));
      out.write(new byte[5000]);
      ZipEntry stored = new ZipEntry("assets/stored");
      stored.setMethod(ZipEntry.STORED);
      stored.setSize(STORED.length);
      CRC32 sum = new CRC32();
      sum.update(STORED);
      stored.setCrc(sum.getValue());
      stored.setExtra(EXTRA);
      out.putNextEntry(stored);
      out.write(STORED);
      out.putNextEntry(new ZipEntry("assets/"));
    }
    return file;
  }

  private static Object robolectric(File zip) throws Exception {
    Method method = FileMap.class.getDeclaredMethod("guessDataOffsets", File.class, int.class);
    method.setAccessible(true);
    return method.invoke(null, zip, (int) zip.length());
  }
}
