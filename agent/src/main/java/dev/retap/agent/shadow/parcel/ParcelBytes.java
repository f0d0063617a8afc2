// The content of a parcel, as libbinder lays it out: little-endian values at offsets that are
// multiples of four, and beside them a table of the objects (binders, file descriptors) that stand
// at some offsets. A read beyond the end gives zero or null and moves nothing.
package dev.retap.agent.shadow.parcel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

final class ParcelBytes {
  /** The size of a stored object: type, flags and two words. */
  static final int OBJECT_SIZE = 24;

  private static final int BINDER_TYPE = 0x73622a85;
  private static final int DESCRIPTOR_TYPE = 0x66642a85;
  private static final int OBJECT_FLAGS = 0x17f;
  private static final int IN_PLACE = 0;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle CHARS =
      MethodHandles.byteArrayViewVarHandle(char[].class, ByteOrder.LITTLE_ENDIAN);
  private static final byte[] NOTHING = {};

  private byte[] data = NOTHING;
  private int size;
  private int position;
  private boolean allowsDescriptors = true;

  /** Non-null objects by their offset; null while there are none. */
  private TreeMap<Integer, StoredObject> objects;

  /** What stands at an offset: a binder or a file descriptor. */
  private record StoredObject(Object object, boolean isDescriptor) {}

  int size() {
    return size;
  }

  int position() {
    return position;
  }

  int capacity() {
    return data.length;
  }

  /** Returns what is left to read; negative if the position is beyond the end. */
  int available() {
    return size - position;
  }

  boolean allowsDescriptors() {
    return allowsDescriptors;
  }

  void setAllowsDescriptors(boolean allows) {
    allowsDescriptors = allows;
  }

  void setPosition(int position) {
    this.position = position;
  }

  void setCapacity(int least) {
    if (least > data.length) {
      data = Arrays.copyOf(data, least);
    }
  }

  void setSize(int size) {
    setCapacity(size);
    if (size < this.size) {
      if (objects != null) {
        objects.tailMap(size - OBJECT_SIZE, false).clear();
      }
      position = Math.min(position, size);
    } else {
      Arrays.fill(data, this.size, size, (byte) 0);
    }
    this.size = size;
  }

  void clear() {
    data = NOTHING;
    size = 0;
    position = 0;
    objects = null;
    allowsDescriptors = true;
  }

  /** Makes room for bytes at the position, moves behind them, and returns where they begin. */
  private int advance(int length) {
    int start = position;
    int padded = padded(length);
    int end = Math.addExact(start, padded);
    if (end > data.length) {
      setCapacity(Math.max(end, (int) Math.min((size + (long) padded) * 3 / 2, 1 << 30)));
    }
    if (objects != null && start < size) {
      objects.subMap(start, true, end, false).clear();
    }
    position = end;
    size = Math.max(size, end);
    return start;
  }

  /** Moves behind so many bytes and returns where they begin, or -1 if they are not there. */
  private int consume(int length) {
    int start = position;
    int padded = padded(length);
    if (length < 0 || padded < length || start + padded < start || start + padded > size) {
      return -1;
    }
    position = start + padded;
    return start;
  }

  private static int padded(int length) {
    return (length + 3) & ~3;
  }

  void writeInt(int value) {
    int start = advance(4);
    INTS.set(data, start, value);
  }

  void writeLong(long value) {
    int start = advance(8);
    LONGS.set(data, start, value);
  }

  int readInt() {
    int start = consume(4);
    return start < 0 ? 0 : (int) INTS.get(data, start);
  }

  long readLong() {
    int start = consume(8);
    return start < 0 ? 0 : (long) LONGS.get(data, start);
  }

  void writeString16(String value) {
    if (value == null) {
      writeInt(-1);
      return;
    }
    int length = value.length();
    writeInt(length);
    int at = advance((length + 1) * 2);
    for (int i = 0; i < length; i++, at += 2) {
      CHARS.set(data, at, value.charAt(i));
    }
    Arrays.fill(data, at, position, (byte) 0);
  }

  String readString16() {
    int length = readInt();
    int start = length < 0 || length > size ? -1 : consume((length + 1) * 2);
    if (start < 0) {
      return null;
    }
    char[] chars = new char[length];
    for (int i = 0; i < length; i++) {
      chars[i] = (char) CHARS.get(data, start + 2 * i);
    }
    return new String(chars);
  }

  void writeString8(String value) {
    if (value == null) {
      writeInt(-1);
      return;
    }
    byte[] bytes = ModifiedUtf8.encode(value);
    writeInt(bytes.length);
    int start = advance(bytes.length + 1);
    System.arraycopy(bytes, 0, data, start, bytes.length);
    Arrays.fill(data, start + bytes.length, position, (byte) 0);
  }

  String readString8() {
    int length = readInt();
    int start = length < 0 || length > size ? -1 : consume(length + 1);
    return start < 0 ? null : ModifiedUtf8.decode(data, start, length);
  }

  void writeBytes(byte[] bytes, int offset, int length) {
    if (bytes == null) {
      writeInt(-1);
      return;
    }
    writeInt(length);
    writeRaw(bytes, offset, length);
  }

  private void writeRaw(byte[] bytes, int offset, int length) {
    int start = advance(length);
    System.arraycopy(bytes, offset, data, start, length);
    Arrays.fill(data, start + length, position, (byte) 0);
  }

  byte[] readBytes() {
    int length = readInt();
    return length < 0 || length > available() ? null : readRaw(length);
  }

  private byte[] readRaw(int length) {
    int start = consume(length);
    return start < 0 ? null : Arrays.copyOfRange(data, start, start + length);
  }

  /** A blob says in front of its bytes that they are here and not in shared memory. */
  void writeBlob(byte[] bytes, int offset, int length) {
    if (bytes == null) {
      writeInt(-1);
      return;
    }
    writeInt(length);
    writeInt(IN_PLACE);
    writeRaw(bytes, offset, length);
  }

  byte[] readBlob() {
    int length = readInt();
    if (length < 0) {
      return null;
    }
    return readInt() == IN_PLACE ? readRaw(length) : null;
  }

  void writeObject(Object object, boolean isDescriptor) {
    int start = advance(OBJECT_SIZE);
    Arrays.fill(data, start, position, (byte) 0);
    INTS.set(data, start, isDescriptor ? DESCRIPTOR_TYPE : BINDER_TYPE);
    INTS.set(data, start + 4, OBJECT_FLAGS);
    if (object != null) {
      if (objects == null) {
        objects = new TreeMap<>();
      }
      objects.put(start, new StoredObject(object, isDescriptor));
    }
  }

  Object readObject(boolean isDescriptor) {
    int start = consume(OBJECT_SIZE);
    StoredObject stored = start < 0 || objects == null ? null : objects.get(start);
    return stored == null || stored.isDescriptor != isDescriptor ? null : stored.object;
  }

  boolean hasObjects() {
    return objects != null && !objects.isEmpty();
  }

  /** Returns true if a binder, or a file descriptor, stands wholly within the range. */
  boolean hasObjects(boolean descriptors, int offset, int length) {
    return objects != null
        && objects.subMap(offset, true, offset + length - OBJECT_SIZE + 1, false).values().stream()
            .anyMatch(stored -> stored.isDescriptor == descriptors);
  }

  /** Returns true if the range is within the parcel. */
  boolean contains(int offset, int length) {
    return offset >= 0 && length >= 0 && offset <= size && length <= size - offset;
  }

  /** Copies a range of another parcel to the position; its objects come along. */
  void append(ParcelBytes from, int offset, int length) {
    setCapacity(Math.max(size, position) + length);
    System.arraycopy(from.data, offset, data, position, length);
    if (from.objects != null && length >= OBJECT_SIZE) {
      for (Map.Entry<Integer, StoredObject> entry :
          from.objects.subMap(offset, true, offset + length - OBJECT_SIZE, true).entrySet()) {
        if (objects == null) {
          objects = new TreeMap<>();
        }
        objects.put(position + entry.getKey() - offset, entry.getValue());
      }
    }
    position += length;
    size = Math.max(size + length, position);
  }

  byte[] toArray() {
    return Arrays.copyOf(data, size);
  }

  /** Replaces the content. The position is then at its end, rounded up. */
  void set(byte[] bytes, int offset, int length) {
    setSize(length);
    position = 0;
    writeRaw(bytes, offset, length);
  }

  /** Compares sizes, then bytes. */
  int compareTo(ParcelBytes other) {
    if (size != other.size) {
      return size < other.size ? -1 : 1;
    }
    return Integer.signum(Arrays.compareUnsigned(data, 0, size, other.data, 0, size));
  }

  boolean rangeEquals(int offset, ParcelBytes other, int otherOffset, int length) {
    return Arrays.equals(
        data, offset, offset + length, other.data, otherOffset, otherOffset + length);
  }
}
