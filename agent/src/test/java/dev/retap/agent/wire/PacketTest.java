// The protocol's encoding: what is written is read back, and a short frame is an error.
package dev.retap.agent.wire;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.util.List;
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
  public void aNumberTakesSevenBitsAByte() {
    assertArrayEquals(new byte[] {0x7f}, new Packet().number(127).body());
    assertArrayEquals(new byte[] {(byte) 0x80, 1}, new Packet().number(128).body());
    assertEquals(5, new Packet().number(-1).size());
  }

  @Test
  public void aCountCanBeFilledInAfterwards() throws IOException {
    Packet out = new Packet().u8(1).u16(0).u8(2);
    out.patch16(1, 513);
    assertArrayEquals(new byte[] {1, 2, 1, 2}, out.body());
  }

  @Test
  public void anIntentIsReadWithItsLists() throws IOException {
    Packet intent =
        new Packet()
            .u8(9)
            .string("action")
            .string("data")
            .string("")
            .u16(2)
            .string("a")
            .string("b")
            .string("pkg/cls")
            .u16(1)
            .string("key=i5");
    Event.IntentSpec expected =
        new Event.IntentSpec("action", "data", "", List.of("a", "b"), "pkg/cls", List.of("key=i5"));
    assertEquals(new Event.Broadcast(expected), Event.read(new Packet(intent.body())));
  }

  @Test
  public void anUnchangedScreenIsNotSentAgain() throws IOException {
    byte[] screen = {4, 5, 6};
    Observation observation =
        new Observation(
            Observation.Outcome.RUNNING,
            "",
            "",
            30,
            screen,
            List.of("I/Tag: line"),
            List.of(),
            List.of());
    Packet changed = new Packet();
    observation.write(changed, null);
    Packet same = new Packet();
    observation.write(same, screen.clone());
    assertEquals("a length and three bytes", 7, changed.size() - same.size());
  }

  @Test
  public void anEventIsReadFromItsDocumentedForm() throws IOException {
    Packet drag = new Packet().u8(3).i32(1).i32(2).i32(3).i32(4).i32(500);
    assertEquals(new Event.Drag(1, 2, 3, 4, 500), Event.read(new Packet(drag.body())));
    assertThrows(IOException.class, () -> Event.read(new Packet(new byte[] {99})));
  }
}
