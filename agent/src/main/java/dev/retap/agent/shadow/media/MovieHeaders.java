// The boxes of an MP4 file: how long it lasts, and how large its pictures are.
package dev.retap.agent.shadow.media;

import java.io.IOException;

final class MovieHeaders {
  private static final int SECOND = 1_000;
  private static final int DEEPEST = 8;

  private long millis;
  private int width;
  private int height;

  private MovieHeaders() {}

  /** Returns null if the file has no header of a movie: a phone cannot play it either. */
  static MediaDescription read(MediaBytes bytes) throws IOException {
    MovieHeaders movie = new MovieHeaders();
    if (!movie.readBoxes(bytes, 0, bytes.size(), 0)) {
      return null;
    }
    String mimeType = movie.width > 0 ? "video/mp4" : "audio/mp4";
    return new MediaDescription(
        mimeType, (int) Math.min(movie.millis, Integer.MAX_VALUE), movie.width, movie.height);
  }

  /** Returns true if there was a header of a movie among the boxes. */
  private boolean readBoxes(MediaBytes bytes, long start, long end, int depth) throws IOException {
    boolean found = false;
    long position = start;
    while (position + 8 <= end && depth < DEEPEST) {
      Header box = new Header(bytes.read(position, 16));
      boolean isLarge = box.big(0, 4) == 1;
      long size = isLarge ? box.big(8, 8) : box.big(0, 4);
      int header = isLarge ? 16 : 8;
      if (size < header) {
        size = end - position;
      }
      long content = position + header;
      long next = Math.min(end, position + size);
      if (box.has(4, "moov") || box.has(4, "trak")) {
        found |= readBoxes(bytes, content, next, depth + 1);
      } else if (box.has(4, "mvhd")) {
        readMovie(new Header(bytes.read(content, 32)));
        found = true;
      } else if (box.has(4, "tkhd")) {
        readTrack(new Header(bytes.read(content, 96)));
      }
      if (next <= position) {
        break;
      }
      position = next;
    }
    return found;
  }

  private void readMovie(Header header) {
    boolean isLong = header.at(0) == 1;
    long scale = isLong ? header.big(20, 4) : header.big(12, 4);
    long duration = isLong ? header.big(24, 8) : header.big(16, 4);
    millis = scale == 0 ? 0 : Math.max(0, duration) * SECOND / scale;
  }

  private void readTrack(Header header) {
    int sizes = header.at(0) == 1 ? 88 : 76;
    int trackWidth = (int) header.big(sizes, 2);
    int trackHeight = (int) header.big(sizes + 4, 2);
    if (trackWidth > 0 && trackHeight > 0) {
      width = trackWidth;
      height = trackHeight;
    }
  }
}
