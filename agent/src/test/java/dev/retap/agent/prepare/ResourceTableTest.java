// Old resource tables, made by hand, become modern ones.
package dev.retap.agent.prepare;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ResourceTableTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private static final int TAIL = 16;

  @Test
  public void anOldPackageHeaderGrowsByItsMissingField() {
    byte[] old = table(284);
    ByteBuffer fixed = ByteBuffer.wrap(ResourceTable.modernise(old)).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(old.length + 4, fixed.capacity());
    assertEquals(old.length + 4, fixed.getInt(4));
    assertEquals(288, fixed.getShort(12 + 2));
    assertEquals(288 + TAIL, fixed.getInt(12 + 4));
    assertEquals(288, fixed.getInt(12 + 268));
    assertEquals(292, fixed.getInt(12 + 276));
    assertEquals("the type-id offset is zero", 0, fixed.getInt(12 + 284));
    assertArrayEquals(
        "what follows the header is kept",
        Arrays.copyOfRange(old, old.length - TAIL, old.length),
        Arrays.copyOfRange(fixed.array(), fixed.capacity() - TAIL, fixed.capacity()));
  }

  @Test
  public void aModernTableIsLeftAlone() {
    byte[] modern = table(288);
    assertSame(modern, ResourceTable.modernise(modern));
  }

  @Test
  public void bytesThatAreNoTableAreLeftAlone() {
    byte[] junk = {1, 2, 3};
    assertSame(junk, ResourceTable.modernise(junk));
  }

  @Test
  public void aTableOfSeveralPackagesGrowsByEachOldOne() {
    byte[] old = table(284);
    ByteBuffer two = ByteBuffer.allocate(2 * old.length - 12).order(ByteOrder.LITTLE_ENDIAN);
    two.put(old).put(old, 12, old.length - 12).putInt(4, two.capacity());
    ByteBuffer fixed =
        ByteBuffer.wrap(ResourceTable.modernise(two.array())).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(two.capacity() + 8, fixed.capacity());
    int second = 12 + 288 + TAIL;
    assertEquals(0x200, fixed.getShort(second));
    assertEquals(288, fixed.getShort(second + 2));
  }

  @Test
  public void aTableWithABrokenChunkIsLeftAlone() {
    byte[] broken = table(284);
    ByteBuffer.wrap(broken).order(ByteOrder.LITTLE_ENDIAN).putInt(12 + 4, 3);
    assertSame(broken, ResourceTable.modernise(broken));
  }

  @Test
  public void anApkWithAnOldTableKeepsItsOtherEntries() throws Exception {
    Path from = folder.newFile("old.apk").toPath();
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(from))) {
      put(out, "resources.arsc", table(284));
      put(out, "classes.dex", new byte[] {1, 2, 3});
    }
    Path to = folder.getRoot().toPath().resolve("new.apk");
    ResourceTable.copyApk(from, to);
    try (ZipFile zip = new ZipFile(to.toFile())) {
      assertArrayEquals(
          ResourceTable.modernise(table(284)),
          zip.getInputStream(zip.getEntry("resources.arsc")).readAllBytes());
      assertArrayEquals(
          new byte[] {1, 2, 3}, zip.getInputStream(zip.getEntry("classes.dex")).readAllBytes());
    }
  }

  @Test
  public void anApkWithAModernTableIsCopiedByteForByte() throws Exception {
    Path from = folder.newFile("modern.apk").toPath();
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(from))) {
      put(out, "resources.arsc", table(288));
    }
    Path to = folder.getRoot().toPath().resolve("copy.apk");
    ResourceTable.copyApk(from, to);
    assertArrayEquals(Files.readAllBytes(from), Files.readAllBytes(to));
  }

  private static void put(ZipOutputStream out, String name, byte[] bytes) throws Exception {
    out.putNextEntry(new ZipEntry(name));
    out.write(bytes);
    out.closeEntry();
  }

  /**
   * Returns a table of one package whose header has the given size, followed by a tail of sevens.
   */
  private static byte[] table(int header) {
    ByteBuffer table = ByteBuffer.allocate(12 + header + TAIL).order(ByteOrder.LITTLE_ENDIAN);
    Arrays.fill(table.array(), table.capacity() - TAIL, table.capacity(), (byte) 7);
    table.putShort((short) 2).putShort((short) 12).putInt(table.capacity()).putInt(1);
    table.putShort((short) 0x200).putShort((short) header).putInt(header + TAIL);
    table.putInt(12 + 268, header);
    table.putInt(12 + 276, header + 4);
    return table.array();
  }
}
