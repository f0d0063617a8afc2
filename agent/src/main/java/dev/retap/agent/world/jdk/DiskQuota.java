// The size of the phone's disk. What the app writes is counted, and measured again when the count
// says that the disk is full: files may have been deleted since.
package dev.retap.agent.world.jdk;

import dev.retap.agent.world.Scheduler;
import dev.retap.agent.world.memory.UnsafeMemory;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;

public final class DiskQuota {
  private static final long BYTES = 512L << 20;

  /** The folder that holds all that this process can write; the host's own files are in it too. */
  private static final File FOLDER = new File(System.getProperty("java.io.tmpdir"));

  /** The folder in FOLDER of what is being removed, which takes no room. */
  public static final File ENDED = new File(FOLDER, "retap-ended");

  private static long hostBytes;
  private static long bytesLeft;

  private DiskQuota() {}

  /** Gives the app a new, empty disk. */
  public static synchronized void reset() {
    hostBytes = size(FOLDER);
    bytesLeft = BYTES;
  }

  public static void checkWrite(FileOutputStream out) throws IOException {
    FileWatch.writing(out);
    write(out.getFD(), 1);
  }

  public static void checkWrite(FileOutputStream out, byte[] bytes) throws IOException {
    FileWatch.writing(out);
    write(out.getFD(), bytes.length);
  }

  public static void checkWrite(FileOutputStream out, int length) throws IOException {
    FileWatch.writing(out);
    write(out.getFD(), length);
  }

  public static void checkWrite(RandomAccessFile file) throws IOException {
    write(file.getFD(), 1);
  }

  public static void checkWrite(RandomAccessFile file, byte[] bytes) throws IOException {
    write(file.getFD(), bytes.length);
  }

  public static void checkWrite(RandomAccessFile file, int length) throws IOException {
    write(file.getFD(), length);
  }

  public static void checkGrow(RandomAccessFile file, long length) throws IOException {
    write(file.getFD(), Math.max(0, length - file.length()));
  }

  public static void checkWrite(Object channel, ByteBuffer bytes) throws IOException {
    checkWrite(channel, bytes.remaining());
  }

  public static void checkWrite(Object channel, ByteBuffer[] bytes, int from, int count)
      throws IOException {
    long length = 0;
    for (int i = from; i < from + count; i++) {
      length += bytes[i].remaining();
    }
    checkWrite(channel, length);
  }

  public static void checkMap(Object channel, Object mode, long length) throws IOException {
    checkWrite(channel, mode == FileChannel.MapMode.READ_WRITE ? length : 0);
  }

  /** Counts bytes that reach the channel from elsewhere or through a mapping. */
  public static void checkWrite(Object channel, long length) throws IOException {
    if (UnsafeMemory.field(channel, "fd") instanceof FileDescriptor descriptor) {
      write(descriptor, length);
    }
  }

  private static void write(FileDescriptor descriptor, long length) throws IOException {
    AgentDescriptors.check(descriptor, "write");
    if (length > 0 && Scheduler.isAppThread()) {
      take(length);
    }
  }

  private static synchronized void take(long length) throws IOException {
    if (length > bytesLeft) {
      bytesLeft = BYTES - (size(FOLDER) - hostBytes);
      if (length > bytesLeft) {
        throw new IOException("write failed: ENOSPC (No space left on device)");
      }
    }
    bytesLeft -= length;
  }

  private static long size(File file) {
    if (file.equals(ENDED)) {
      return 0;
    }
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
