// How long sound files last, by their headers.
package dev.retap.agent.shadow.media;

import java.io.IOException;

final class SoundHeaders {
  private static final int SECOND = 1_000;
  private static final int SEARCHED = 64 * 1024;

  /** Kilobits a second of MPEG 1 layer 3, by the index in a frame's header. */
  private static final int[] MPEG_1 = {
    0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320
  };

  /** Kilobits a second of MPEG 2 layer 3. */
  private static final int[] MPEG_2 = {
    0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160
  };

  /** Bytes of an AMR frame, which lasts 20 ms, by its mode. */
  private static final int[] AMR_FRAME = {13, 14, 16, 18, 20, 21, 27, 32, 6};

  private SoundHeaders() {}

  /** Returns the position after the tags at the beginning of a file. */
  static long afterTags(MediaBytes bytes) throws IOException {
    Header header = new Header(bytes.read(0, 10));
    if (!header.has(0, "ID3")) {
      return 0;
    }
    long size = 0;
    for (int i = 6; i < 10; i++) {
      size = size << 7 | header.at(i) & 0x7F;
    }
    return 10 + size;
  }

  static long millisOfWave(MediaBytes bytes) throws IOException {
    long rate = 0;
    long position = 12;
    while (position + 8 <= bytes.size()) {
      Header chunk = new Header(bytes.read(position, 24));
      long size = chunk.little(4, 4);
      if (chunk.has(0, "fmt ")) {
        rate = chunk.little(16, 4);
      } else if (chunk.has(0, "data")) {
        long data = Math.min(size, bytes.size() - position - 8);
        return rate == 0 ? 0 : data * SECOND / rate;
      }
      position += 8 + size + (size & 1);
    }
    return 0;
  }

  static long millisOfOgg(MediaBytes bytes) throws IOException {
    Header first = new Header(bytes.read(0, 64));
    int packet = 27 + first.at(26);
    boolean isOpus = first.has(packet, "OpusHead");
    long rate = isOpus ? 48_000 : first.little(packet + 12, 4);
    long start = Math.max(0, bytes.size() - SEARCHED);
    Header end = new Header(bytes.read(start, SEARCHED));
    for (int i = end.bytes().length - 14; i >= 0; i--) {
      if (end.has(i, "OggS")) {
        return rate == 0 ? 0 : end.little(i + 6, 8) * SECOND / rate;
      }
    }
    return 0;
  }

  static long millisOfFlac(MediaBytes bytes, long start) throws IOException {
    long packed = new Header(bytes.read(start + 8, 18)).big(10, 8);
    long rate = packed >>> 44;
    long samples = packed & 0xFFFFFFFFFL;
    return rate == 0 ? 0 : samples * SECOND / rate;
  }

  static long millisOfAmr(MediaBytes bytes) throws IOException {
    int mode = new Header(bytes.read(6, 1)).at(0) >> 3 & 0xF;
    int frame = mode < AMR_FRAME.length ? AMR_FRAME[mode] : AMR_FRAME[0];
    return (bytes.size() - 6) / frame * 20;
  }

  /** Returns the length of MPEG sound by its first frame, or -1 if there is none. */
  static long millisOfMpeg(MediaBytes bytes, long start) throws IOException {
    Header part = new Header(bytes.read(start, SEARCHED));
    for (int i = 0; i + 4 <= part.bytes().length; i++) {
      if (part.at(i) != 0xFF || (part.at(i + 1) & 0xE0) != 0xE0) {
        continue;
      }
      int version = part.at(i + 1) >> 3 & 3;
      int layer = part.at(i + 1) >> 1 & 3;
      int index = part.at(i + 2) >> 4;
      boolean isFrame = version != 1 && layer == 1 && index > 0 && index < MPEG_1.length;
      if (isFrame) {
        int kilobits = version == 3 ? MPEG_1[index] : MPEG_2[index];
        return (bytes.size() - start - i) * 8 / kilobits;
      }
      boolean isAdts = (part.at(i + 1) & 0xF6) == 0xF0;
      if (isAdts && i == 0) {
        return (bytes.size() - start) * 8 / 128;
      }
    }
    return -1;
  }
}
