// The protocol's encoding: what is written is read back, and a short frame is an error.
package dev.retap.agent.wire;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import org.junit.Test;

public class PacketTest {
  @Test
  public void numbersAndStringsComeBack() throws IOException {
    Packet out = new Packet().u8(200).u16(60_000).i32(-5).i64(Long.MIN_VALUE).string("žluť");
    Packet in = new Packet(out.body());
    assertEquals(200, in.readU8());
    assertEquals(60_000, in.readU16());
    assertEquals(-5, in.readI32());
    assertEquals(Long.MIN_VALUE, in.readI64());
    assertEquals("žluť", in.readString());
  }

  @Test
  public void numbersAreBigEndian() {
    assertArrayEquals(new byte[] {0, 0, 1, 2}, new Packet().i32(0x102).body());
  }

  @Test
  public void aFrameThatEndsEarlyIsAnError() {
    Packet claimsTen = new Packet(new Packet().i32(10).u8(1).body());
    assertThrows(IOException.class, claimsTen::readString);
  }

  @Test
  public void anEventIsReadFromItsDocumentedForm() throws IOException {
    Packet drag = new Packet().u8(3).i32(1).i32(2).i32(3).i32(4).i32(500);
    assertEquals(new Event.Drag(1, 2, 3, 4, 500), Event.read(new Packet(drag.body())));
    assertThrows(IOException.class, () -> Event.read(new Packet(new byte[] {99})));
  }
}
