// The form of UTF-8 in which native code gets Java's strings: NUL takes two bytes, and a character
// beyond the first plane two triples.
package dev.retap.agent.shadow.parcel;

final class ModifiedUtf8 {
  private ModifiedUtf8() {}

  static byte[] encode(String text) {
    int length = 0;
    for (int i = 0; i < text.length(); i++) {
      length += length(text.charAt(i));
    }
    byte[] bytes = new byte[length];
    int at = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (length(c)) {
        case 1 -> bytes[at++] = (byte) c;
        case 2 -> {
          bytes[at++] = (byte) (0xc0 | c >> 6);
          bytes[at++] = (byte) (0x80 | c & 0x3f);
        }
        default -> {
          bytes[at++] = (byte) (0xe0 | c >> 12);
          bytes[at++] = (byte) (0x80 | c >> 6 & 0x3f);
          bytes[at++] = (byte) (0x80 | c & 0x3f);
        }
      }
    }
    return bytes;
  }

  private static int length(char c) {
    return c == 0 ? 2 : c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
  }

  static String decode(byte[] bytes, int start, int length) {
    StringBuilder text = new StringBuilder(length);
    int end = start + length;
    for (int at = start; at < end; ) {
      int b = bytes[at++] & 0xff;
      if (b < 0x80 || at >= end) {
        text.append((char) b);
      } else if (b < 0xe0 || at + 1 >= end) {
        text.append((char) ((b & 0x1f) << 6 | bytes[at++] & 0x3f));
      } else {
        text.append((char) ((b & 0xf) << 12 | (bytes[at] & 0x3f) << 6 | bytes[at + 1] & 0x3f));
        at += 2;
      }
    }
    return text.toString();
  }
}
