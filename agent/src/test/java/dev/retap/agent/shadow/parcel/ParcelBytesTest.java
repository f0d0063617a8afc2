// Parcels hold the bytes that libbinder writes, and answer beyond their end as it does.
package dev.retap.agent.shadow.parcel;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public final class ParcelBytesTest {
  private final ParcelBytes parcel = new ParcelBytes();

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  @Test
  public void numbersAreLittleEndian() {
    parcel.writeInt(0x01020304);
    parcel.writeLong(0x1112131415161718L);
    assertArrayEquals(
        bytes(4, 3, 2, 1, 0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11), parcel.toArray());
    parcel.setPosition(0);
    assertEquals(0x01020304, parcel.readInt());
    assertEquals(0x1112131415161718L, parcel.readLong());
  }

  @Test
  public void stringsEndWithNulAndArePadded() {
    parcel.writeString16("ab");
    assertArrayEquals(bytes(2, 0, 0, 0, 'a', 0, 'b', 0, 0, 0, 0, 0), parcel.toArray());
    parcel.clear();
    parcel.writeString8("abc");
    assertArrayEquals(bytes(3, 0, 0, 0, 'a', 'b', 'c', 0), parcel.toArray());
    parcel.clear();
    parcel.writeString16(null);
    assertArrayEquals(bytes(255, 255, 255, 255), parcel.toArray());
  }

  @Test
  public void stringsOfAllKindsComeBack() {
    String[] texts = {"", "a", "\0", "é€", "\ud83d\ude00", "\ud83d", "x".repeat(1000), null};
    for (String text : texts) {
      parcel.writeString16(text);
      parcel.writeString8(text);
    }
    parcel.setPosition(0);
    for (String text : texts) {
      assertEquals(text, parcel.readString16());
      assertEquals(text, parcel.readString8());
    }
    assertEquals(0, parcel.available());
  }

  @Test
  public void byteArraysAndBlobsComeBack() {
    parcel.writeBytes(bytes(9, 1, 2, 3, 4, 5, 9), 1, 5);
    parcel.writeBytes(null, 0, 0);
    parcel.writeBlob(bytes(7, 8), 0, 2);
    parcel.writeBytes(bytes(), 0, 0);
    parcel.setPosition(0);
    assertArrayEquals(bytes(1, 2, 3, 4, 5), parcel.readBytes());
    assertNull(parcel.readBytes());
    assertArrayEquals(bytes(7, 8), parcel.readBlob());
    assertArrayEquals(bytes(), parcel.readBytes());
  }

  @Test
  public void aReadBeyondTheEndGivesNothingAndStays() {
    parcel.writeInt(5);
    assertEquals(0, parcel.readInt());
    assertEquals(0, parcel.readLong());
    assertEquals(4, parcel.position());
    assertNull(parcel.readString16());
    assertEquals("the length reads as 0", 0, parcel.readBytes().length);
    assertNull(parcel.readObject(false));
    parcel.setPosition(0);
    assertEquals("eight bytes are not there", 0, parcel.readLong());
    assertEquals(0, parcel.position());
    assertNull("its length is 5, its text is missing", parcel.readString16());
  }

  @Test
  public void thePositionMayBeBeyondTheEnd() {
    parcel.writeInt(1);
    parcel.setPosition(12);
    assertEquals(-8, parcel.available());
    assertEquals(0, parcel.readInt());
    parcel.writeInt(2);
    assertEquals(16, parcel.size());
    assertArrayEquals(bytes(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0), parcel.toArray());
  }

  @Test
  public void capacityGrowsByHalf() {
    parcel.setCapacity(2);
    assertEquals(2, parcel.capacity());
    parcel.setCapacity(1);
    assertEquals(2, parcel.capacity());
    parcel.setCapacity(3);
    parcel.writeInt(10);
    assertEquals(6, parcel.capacity());
  }

  @Test
  public void aSmallerSizeMovesThePositionBack() {
    parcel.writeLong(1);
    parcel.setSize(5);
    assertEquals(5, parcel.size());
    assertEquals(5, parcel.position());
    parcel.setSize(9);
    assertEquals(9, parcel.toArray().length);
    assertEquals(0, parcel.toArray()[8]);
  }

  @Test
  public void objectsStandAtTheirOffset() {
    Object binder = new Object();
    Object descriptor = new Object();
    parcel.writeInt(1);
    parcel.writeObject(binder, false);
    parcel.writeObject(null, false);
    parcel.writeObject(descriptor, true);
    assertEquals(4 + 3 * ParcelBytes.OBJECT_SIZE, parcel.size());
    assertTrue(parcel.hasObjects());
    assertTrue(parcel.hasObjects(true, 0, parcel.size()));
    assertFalse(parcel.hasObjects(true, 0, 28));
    assertTrue(parcel.hasObjects(false, 0, 28));
    assertFalse("only a part of it", parcel.hasObjects(false, 0, 27));
    parcel.setPosition(4);
    assertSame(binder, parcel.readObject(false));
    assertNull(parcel.readObject(false));
    assertSame(descriptor, parcel.readObject(true));
    parcel.setPosition(8);
    assertNull("no object stands here", parcel.readObject(false));
  }

  @Test
  public void objectsAreLostWithTheirBytes() {
    parcel.writeObject(new Object(), false);
    parcel.setSize(ParcelBytes.OBJECT_SIZE - 1);
    assertFalse(parcel.hasObjects());
    parcel.clear();
    parcel.writeObject(new Object(), false);
    parcel.setPosition(0);
    parcel.writeInt(1);
    assertFalse(parcel.hasObjects());
  }

  @Test
  public void appendedBytesBringTheirObjects() {
    Object binder = new Object();
    ParcelBytes from = new ParcelBytes();
    from.writeInt(1);
    from.writeObject(binder, false);
    from.writeInt(2);
    parcel.writeInt(9);
    parcel.append(from, 4, ParcelBytes.OBJECT_SIZE + 4);
    assertEquals(8 + ParcelBytes.OBJECT_SIZE, parcel.size());
    parcel.setPosition(4);
    assertSame(binder, parcel.readObject(false));
    assertEquals(2, parcel.readInt());
  }

  @Test
  public void setContentEndsAtAMultipleOfFour() {
    parcel.writeLong(1);
    parcel.set(bytes(1, 2, 3, 4, 5, 6), 1, 5);
    assertEquals(8, parcel.position());
    assertArrayEquals(bytes(2, 3, 4, 5, 6, 0, 0, 0), parcel.toArray());
  }

  @Test
  public void parcelsAreComparedBySizeThenByBytes() {
    ParcelBytes other = new ParcelBytes();
    assertEquals(0, parcel.compareTo(other));
    parcel.writeInt(1);
    assertEquals(1, parcel.compareTo(other));
    other.writeInt(2);
    assertEquals(-1, parcel.compareTo(other));
    parcel.writeInt(2);
    assertTrue(parcel.rangeEquals(4, other, 0, 4));
    assertFalse(parcel.contains(4, 5));
    assertTrue(parcel.contains(8, 0));
  }

  @Test
  public void handlesAreUsedAgain() {
    long first = ParcelTable.add();
    ParcelTable.get(first).writeInt(1);
    ParcelTable.remove(first);
    long second = ParcelTable.add();
    assertEquals(first, second);
    assertEquals(0, ParcelTable.get(second).size());
    ParcelTable.remove(second);
  }
}
