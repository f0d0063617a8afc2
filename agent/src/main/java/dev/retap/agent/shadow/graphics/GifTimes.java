// The size of a GIF picture and the times of its frames, read from its blocks.
package dev.retap.agent.shadow.graphics;

import java.util.ArrayList;
import java.util.List;

/**
 * @param delays how long each frame is shown, in milliseconds
 */
record GifTimes(int width, int height, List<Integer> delays) {
  private static final int HEADER = 13;
  private static final int EXTENSION = 0x21;
  private static final int GRAPHIC_CONTROL = 0xf9;
  private static final int IMAGE = 0x2c;

  /** Returns null if this is no GIF, or one that ends too early. */
  static GifTimes read(byte[] gif) {
    if (gif.length < HEADER || gif[0] != 'G' || gif[1] != 'I' || gif[2] != 'F') {
      return null;
    }
    List<Integer> delays = new ArrayList<>();
    int delay = 0;
    int at = HEADER + tableSize(gif[10]);
    try {
      while (gif[at] == EXTENSION || gif[at] == IMAGE) {
        if (gif[at] == EXTENSION) {
          if ((gif[at + 1] & 0xff) == GRAPHIC_CONTROL) {
            delay = u16(gif, at + 4) * 10;
          }
          at = skipBlocks(gif, at + 2);
        } else {
          delays.add(delay);
          at = skipBlocks(gif, at + 10 + tableSize(gif[at + 9]) + 1);
        }
      }
    } catch (ArrayIndexOutOfBoundsException e) {
      // The frames so far count.
    }
    return delays.isEmpty() ? null : new GifTimes(u16(gif, 6), u16(gif, 8), delays);
  }

  int duration() {
    return delays.stream().mapToInt(Integer::intValue).sum();
  }

  int frameAt(int millis) {
    int end = 0;
    for (int i = 0; i < delays.size(); i++) {
      end += delays.get(i);
      if (end >= millis) {
        return i;
      }
    }
    return Math.max(0, delays.size() - 1);
  }

  private static int tableSize(int flags) {
    return (flags & 0x80) == 0 ? 0 : 3 * (2 << (flags & 7));
  }

  private static int skipBlocks(byte[] gif, int from) {
    int at = from;
    while (gif[at] != 0) {
      at += (gif[at] & 0xff) + 1;
    }
    return at + 1;
  }

  private static int u16(byte[] bytes, int at) {
    return bytes[at] & 0xff | (bytes[at + 1] & 0xff) << 8;
  }
}
