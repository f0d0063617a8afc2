// A few bytes of a header. What lies beyond their end reads as zero.
package dev.retap.agent.shadow.media;

record Header(byte[] bytes) {
  int at(int index) {
    return index >= 0 && index < bytes.length ? bytes[index] & 0xFF : 0;
  }

  boolean has(int index, String text) {
    for (int i = 0; i < text.length(); i++) {
      if (at(index + i) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** A number whose first byte is its highest. */
  long big(int index, int length) {
    long number = 0;
    for (int i = 0; i < length; i++) {
      number = number << 8 | at(index + i);
    }
    return number;
  }

  /** A number whose first byte is its lowest. */
  long little(int index, int length) {
    long number = 0;
    for (int i = length - 1; i >= 0; i--) {
      number = number << 8 | at(index + i);
    }
    return number;
  }
}
