// The phone's disk, of which an app can fill only its own: what it writes is counted, and measured
// again when the count says that the disk is full.
package dev.retap.agent.world;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;

public final class Storage {
  private static final long BYTES = 512L << 20;

  /** All that this process can write to; the host's own files are in it too. */
  private static final File FOLDER = new File(System.getProperty("java.io.tmpdir"));

  private static long host;
  private static long left;

  private Storage() {}

  /** A new disk, with nothing on it yet. */
  public static synchronized void begin() {
    host = size(FOLDER);
    left = BYTES;
  }

  public static void writing(FileOutputStream out) throws IOException {
    write(out.getFD(), 1);
  }

  public static void writing(FileOutputStream out, byte[] bytes) throws IOException {
    write(out.getFD(), bytes.length);
  }

  public static void writing(FileOutputStream out, int length) throws IOException {
    write(out.getFD(), length);
  }

  public static void writing(RandomAccessFile file) throws IOException {
    write(file.getFD(), 1);
  }

  public static void writing(RandomAccessFile file, byte[] bytes) throws IOException {
    write(file.getFD(), bytes.length);
  }

  public static void writing(RandomAccessFile file, int length) throws IOException {
    write(file.getFD(), length);
  }

  public static void growing(RandomAccessFile file, long length) throws IOException {
    write(file.getFD(), Math.max(0, length - file.length()));
  }

  public static void writing(Object channel, ByteBuffer bytes) throws IOException {
    writing(channel, bytes.remaining());
  }

  public static void writing(Object channel, ByteBuffer[] bytes, int from, int count)
      throws IOException {
    long length = 0;
    for (int i = from; i < from + count; i++) {
      length += bytes[i].remaining();
    }
    writing(channel, length);
  }

  public static void mapping(Object channel, Object mode, long length) throws IOException {
    writing(channel, mode == FileChannel.MapMode.READ_WRITE ? length : 0);
  }

  /** Bytes that come from elsewhere or through a mapping. */
  public static void writing(Object channel, long length) throws IOException {
    if (Memory.field(channel, "fd") instanceof FileDescriptor descriptor) {
      write(descriptor, length);
    }
  }

  private static void write(FileDescriptor descriptor, long length) throws IOException {
    Pipe.check(descriptor, "write");
    if (length > 0 && Chance.mine()) {
      take(length);
    }
  }

  private static synchronized void take(long length) throws IOException {
    if (length > left) {
      left = BYTES - (size(FOLDER) - host);
      if (length > left) {
        throw new IOException("write failed: ENOSPC (No space left on device)");
      }
    }
    left -= length;
  }

  private static long size(File file) {
    File[] files = Files.isSymbolicLink(file.toPath()) ? null : file.listFiles();
    if (files == null) {
      return file.length();
    }
    long size = 0;
    for (File each : files) {
      size += size(each);
    }
    return size;
  }
}
