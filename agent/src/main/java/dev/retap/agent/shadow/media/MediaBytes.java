// The bytes of a media file, wherever they come from: an open file, a part of one, or a source that
// the app itself answers for.
package dev.retap.agent.shadow.media;

import android.media.MediaDataSource;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

interface MediaBytes {
  /** The number of bytes. */
  long size() throws IOException;

  /** Returns the bytes at a position: as many as asked for, or fewer at the end. */
  byte[] read(long position, int length) throws IOException;

  /** Nothing: what an address leads to that nobody answers. */
  static MediaBytes none() {
    return new MediaBytes() {
      @Override
      public long size() {
        return 0;
      }

      @Override
      public byte[] read(long position, int length) {
        return new byte[0];
      }
    };
  }

  /**
   * A part of an open file. It is read at once, because the app may close the file; a phone's media
   * server has a descriptor of its own.
   */
  static MediaBytes of(FileDescriptor file, long offset, long length) throws IOException {
    FileChannel channel = new FileInputStream(file).getChannel();
    long size = Math.max(0, Math.min(length, channel.size() - offset));
    ByteBuffer head = ByteBuffer.allocate((int) Math.min(size, KeptParts.HEAD));
    readFully(channel, head, offset);
    ByteBuffer tail = ByteBuffer.allocate((int) Math.min(size, KeptParts.TAIL));
    readFully(channel, tail, offset + size - tail.capacity());
    return new KeptParts(size, head.array(), tail.array());
  }

  private static void readFully(FileChannel channel, ByteBuffer into, long position)
      throws IOException {
    int read = 0;
    while (into.hasRemaining() && read >= 0) {
      read = channel.read(into, position + into.position());
    }
  }

  /** A source that the app answers for. */
  static MediaBytes of(MediaDataSource source) {
    return new MediaBytes() {
      @Override
      public long size() throws IOException {
        return Math.max(0, source.getSize());
      }

      @Override
      public byte[] read(long position, int length) throws IOException {
        byte[] buffer = new byte[length];
        int read = Math.max(0, source.readAt(position, buffer, 0, length));
        return java.util.Arrays.copyOf(buffer, Math.min(read, length));
      }
    };
  }

  /** The beginning and the end of a file, where its headers are. */
  final class KeptParts implements MediaBytes {
    private static final int HEAD = 256 * 1024;
    private static final int TAIL = 256 * 1024;

    private final long size;
    private final byte[] head;
    private final byte[] tail;

    KeptParts(long size, byte[] head, byte[] tail) {
      this.size = size;
      this.head = head;
      this.tail = tail;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public byte[] read(long position, int length) {
      boolean isInTail = position >= size - tail.length;
      byte[] part = isInTail ? tail : head;
      long start = isInTail ? position - (size - tail.length) : position;
      if (start < 0 || start >= part.length) {
        return new byte[0];
      }
      int end = (int) Math.min(part.length, start + length);
      return java.util.Arrays.copyOfRange(part, (int) start, end);
    }
  }
}
