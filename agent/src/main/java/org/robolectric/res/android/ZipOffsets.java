// Where the data of each entry of a zip file begins. Robolectric seeks and reads once for each
// entry, and a framework's jar has 65,000: a second of every start. Here the file is mapped.
package org.robolectric.res.android;

import com.google.common.collect.ImmutableMap;
import dev.retap.agent.world.memory.UnsafeMemory;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipException;

public final class ZipOffsets {
  private static final int END = 0x06054b50;
  private static final int END_LENGTH = 22;
  private static final int LONGEST_COMMENT = 0xffff;
  private static final int END_64 = 0x06064b50;
  private static final int LOCATOR_64 = 0x07064b50;
  private static final int LOCATOR_64_LENGTH = 20;
  private static final int ENTRY = 0x02014b50;
  private static final int ENTRY_LENGTH = 46;
  private static final int HEADER_LENGTH = 30;
  private static final int UTF_8_NAME = 1 << 11;

  private final ByteBuffer zip;

  private ZipOffsets(ByteBuffer zip) {
    this.zip = zip.order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the offset of the data of each entry by the entry's name. */
  public static ImmutableMap<String, Long> guessDataOffsets(File file, int length) {
    try (RandomAccessFile opened = new RandomAccessFile(file, "r")) {
      ByteBuffer zip = opened.getChannel().map(MapMode.READ_ONLY, 0, length);
      try {
        return ImmutableMap.copyOf(new ZipOffsets(zip).read());
      } finally {
        // Otherwise the pages count as resident until a collection.
        UnsafeMemory.unsafe().invokeCleaner(zip);
      }
    } catch (IOException | IndexOutOfBoundsException e) {
      throw new IllegalStateException("zip file " + file, e);
    }
  }

  private Map<String, Long> read() throws IOException {
    Map<String, Long> offsets = new HashMap<>();
    int at = directory();
    while (zip.getInt(at) == ENTRY) {
      int name = u16(at + 28);
      byte[] bytes = new byte[name];
      zip.position(at + ENTRY_LENGTH).get(bytes);
      int header = zip.getInt(at + 42);
      long data = (long) header + HEADER_LENGTH + u16(header + 26) + u16(header + 28);
      offsets.put(new String(bytes, charset(u16(at + 8))), data);
      at += ENTRY_LENGTH + name + u16(at + 30) + u16(at + 32);
    }
    return offsets;
  }

  /** Returns where the list of entries begins. */
  private int directory() throws IOException {
    int last = zip.capacity() - END_LENGTH;
    for (int at = last; at >= Math.max(0, last - LONGEST_COMMENT); at--) {
      if (zip.getInt(at) == END) {
        int locator = at - LOCATOR_64_LENGTH;
        if (locator >= 0 && zip.getInt(locator) == LOCATOR_64) {
          int end = Math.toIntExact(zip.getLong(locator + 8));
          if (zip.getInt(end) == END_64) {
            return Math.toIntExact(zip.getLong(end + 48));
          }
        }
        return zip.getInt(at + 16);
      }
    }
    throw new ZipException("no list of entries");
  }

  private int u16(int at) {
    return zip.getShort(at) & 0xffff;
  }

  private static Charset charset(int flags) {
    return (flags & UTF_8_NAME) != 0 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
  }
}
