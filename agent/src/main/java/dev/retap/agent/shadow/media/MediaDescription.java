// What the headers of a media file say: its kind, its length in time, the size of its pictures.
package dev.retap.agent.shadow.media;

import java.io.IOException;

/** The size of the pictures is 0 by 0 for sound. */
record MediaDescription(String mimeType, int millis, int width, int height) {
  /** The length of files whose headers do not tell it. */
  private static final int UNKNOWN_MILLIS = 1_000;

  boolean isVideo() {
    return width > 0 && height > 0;
  }

  static MediaDescription ofSound(String mimeType, long millis) {
    return new MediaDescription(mimeType, (int) Math.min(millis, Integer.MAX_VALUE), 0, 0);
  }

  /** Reads the headers. Returns null if no decoder of a phone knows the file. */
  static MediaDescription read(MediaBytes bytes) throws IOException {
    long start = SoundHeaders.afterTags(bytes);
    Header header = new Header(bytes.read(start, 16));
    if (header.has(0, "RIFF") && header.has(8, "WAVE")) {
      return ofSound("audio/x-wav", SoundHeaders.millisOfWave(bytes));
    }
    if (header.has(0, "OggS")) {
      return ofSound("audio/ogg", SoundHeaders.millisOfOgg(bytes));
    }
    if (header.has(0, "fLaC")) {
      return ofSound("audio/flac", SoundHeaders.millisOfFlac(bytes, start));
    }
    if (header.has(4, "ftyp")) {
      return MovieHeaders.read(bytes);
    }
    if (header.has(0, "MThd")) {
      return ofSound("audio/midi", UNKNOWN_MILLIS);
    }
    if (header.has(0, "#!AMR")) {
      return ofSound("audio/amr", SoundHeaders.millisOfAmr(bytes));
    }
    if (header.big(0, 4) == 0x1A45DFA3L) {
      return new MediaDescription("video/x-matroska", UNKNOWN_MILLIS, 640, 360);
    }
    long millis = SoundHeaders.millisOfMpeg(bytes, start);
    return millis < 0 ? null : ofSound("audio/mpeg", millis);
  }
}
