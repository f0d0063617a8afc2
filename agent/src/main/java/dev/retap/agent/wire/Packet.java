// The body of one frame, to write or to read: big-endian numbers, strings as u32 length and UTF-8
// bytes.
package dev.retap.agent.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

public final class Packet {
  /** The longest string that is written; what is longer ends with an ellipsis. */
  private static final int MAX_CHARS = 1 << 20;

  private byte[] bytes;
  private int size;
  private int position;

  public Packet() {
    this(new byte[256], 0);
  }

  /** Creates a packet that reads the given body. */
  public Packet(byte[] body) {
    this(body, body.length);
  }

  private Packet(byte[] bytes, int size) {
    this.bytes = bytes;
    this.size = size;
  }

  public Packet u8(int value) {
    ensureRoom(1);
    bytes[size++] = (byte) value;
    return this;
  }

  public Packet u16(int value) {
    return u8(value >>> 8).u8(value);
  }

  public Packet i32(int value) {
    return u16(value >>> 16).u16(value);
  }

  public Packet i64(long value) {
    return i32((int) (value >>> 32)).i32((int) value);
  }

  /**
   * Writes seven bits a byte, the lowest first; the highest bit is set on all bytes but the last.
   */
  public Packet number(int value) {
    int left = value;
    while ((left & ~0x7f) != 0) {
      u8(left | 0x80);
      left >>>= 7;
    }
    return u8(left);
  }

  public Packet string(CharSequence value) {
    if (value == null) {
      return i32(0);
    }
    String text =
        value.length() <= MAX_CHARS
            ? value.toString()
            : value.subSequence(0, MAX_CHARS - 1).toString() + "…";
    return blob(text.getBytes(StandardCharsets.UTF_8));
  }

  public Packet blob(byte[] value) {
    i32(value.length);
    return raw(value);
  }

  public Packet raw(byte[] value) {
    ensureRoom(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
    return this;
  }

  /** Overwrites a number that was written earlier, for counts that are known only afterwards. */
  public void patch16(int at, int value) {
    bytes[at] = (byte) (value >>> 8);
    bytes[at + 1] = (byte) value;
  }

  /** Sets bits of a 32-bit number that was written earlier. */
  public void setFlag(int at, int bits) {
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes[at + i] |= (byte) (bits >>> (8 * (Integer.BYTES - 1 - i)));
    }
  }

  public int size() {
    return size;
  }

  public byte[] body() {
    return Arrays.copyOf(bytes, size);
  }

  public int readU8() throws IOException {
    requireLeft(1);
    return bytes[position++] & 0xff;
  }

  public int readU16() throws IOException {
    return readU8() << 8 | readU8();
  }

  public int readI32() throws IOException {
    return readU16() << 16 | readU16();
  }

  public long readI64() throws IOException {
    return (long) readI32() << 32 | readI32() & 0xffffffffL;
  }

  public String readString() throws IOException {
    int length = readI32();
    requireLeft(length);
    String value = new String(bytes, position, length, StandardCharsets.UTF_8);
    position += length;
    return value;
  }

  public byte[] readBlob() throws IOException {
    int length = readI32();
    requireLeft(length);
    byte[] value = Arrays.copyOfRange(bytes, position, position + length);
    position += length;
    return value;
  }

  private void requireLeft(int count) throws IOException {
    if (count < 0 || count > size - position) {
      throw new IOException("frame ends early: " + count + " bytes wanted at " + position);
    }
  }

  private void ensureRoom(int count) {
    if (size + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + count));
    }
  }
}
