// The resource-table fix on hand-made tables.
package dev.retap.agent.prepare;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.Test;

public class ResourceTableTest {
  private static final int TAIL = 16;

  @Test
  public void anOldPackageHeaderGrowsByItsMissingField() {
    byte[] old = table(284);
    ByteBuffer fixed =
        ByteBuffer.wrap(ResourceTable.modernise(old)).order(ByteOrder.LITTLE_ENDIAN);
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

  /** A table of one package whose header has the given size, followed by a tail of sevens. */
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
