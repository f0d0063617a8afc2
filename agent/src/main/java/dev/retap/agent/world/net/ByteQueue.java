// One direction of a connection within the phone: a bounded queue of bytes in virtual time.
package dev.retap.agent.world.net;

import dev.retap.agent.world.Blocking;
import dev.retap.agent.world.VirtualClock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;

final class ByteQueue {
  static final int CAPACITY = 1 << 16;

  private final byte[] bytes = new byte[CAPACITY];
  private int start;
  private int length;
  private boolean ended;

  synchronized int available() {
    return length;
  }

  /** Ends the queue: readers take what is left, writers fail. */
  synchronized void end() {
    ended = true;
    tellWaiting();
  }

  synchronized boolean isEnded() {
    return ended;
  }

  /** Returns true if a reader would not wait. */
  synchronized boolean isReadable() {
    return length > 0 || ended;
  }

  /** Returns true if a writer would not wait. */
  synchronized boolean isWritable() {
    return length < CAPACITY || ended;
  }

  /** Waits for bytes or the end, until the deadline. */
  synchronized void awaitReadable(long deadline) throws IOException {
    while (!isReadable()) {
      PhoneSocket.await(this, deadline, "Read timed out");
    }
  }

  /** Moves what is there into the buffer; returns -1 at the end. */
  synchronized int take(ByteBuffer to) {
    if (length == 0 && ended && to.hasRemaining()) {
      return -1;
    }
    int taken = 0;
    while (to.hasRemaining() && length > 0) {
      int count = Math.min(to.remaining(), Math.min(length, CAPACITY - start));
      to.put(bytes, start, count);
      start = (start + count) % CAPACITY;
      length -= count;
      taken += count;
    }
    tellWaiting();
    return taken;
  }

  /** Moves what is there into the buffers, one after the other; returns -1 at the end. */
  synchronized long take(ByteBuffer[] to, int first, int count) {
    long all = 0;
    for (int i = first; i < first + count; i++) {
      int taken = take(to[i]);
      if (taken < 0) {
        return all == 0 ? -1 : all;
      }
      all += taken;
    }
    return all;
  }

  /**
   * Takes bytes from the buffer.
   *
   * @param waits whether to wait until there is room for all of them
   */
  synchronized int put(ByteBuffer from, boolean waits) throws IOException {
    int put = 0;
    while (from.hasRemaining()) {
      while (waits && !isWritable()) {
        PhoneSocket.await(this, VirtualClock.NEVER, "");
      }
      if (ended) {
        throw new SocketException("sendto failed: EPIPE (Broken pipe)");
      }
      if (length == CAPACITY) {
        break;
      }
      int to = (start + length) % CAPACITY;
      int count = Math.min(from.remaining(), Math.min(CAPACITY - length, CAPACITY - to));
      from.get(bytes, to, count);
      length += count;
      put += count;
      tellWaiting();
    }
    return put;
  }

  /** Takes bytes from the buffers, one after the other. */
  synchronized long put(ByteBuffer[] from, int first, int count, boolean waits) throws IOException {
    long all = 0;
    for (int i = first; i < first + count; i++) {
      all += put(from[i], waits);
    }
    return all;
  }

  /** Returns a stream that ends with the queue and times out as the socket says. */
  InputStream input(PhoneSocket socket) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] to, int at, int most) throws IOException {
        if (most == 0) {
          return 0;
        }
        synchronized (ByteQueue.this) {
          awaitReadable(socket.deadline());
          return take(ByteBuffer.wrap(to, at, most));
        }
      }

      @Override
      public int available() {
        return ByteQueue.this.available();
      }

      @Override
      public void close() throws IOException {
        socket.close();
      }
    };
  }

  OutputStream output() {
    return new OutputStream() {
      @Override
      public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
      }

      @Override
      public void write(byte[] source, int at, int count) throws IOException {
        put(ByteBuffer.wrap(source, at, count), true);
      }

      @Override
      public void close() {
        end();
      }
    };
  }

  private void tellWaiting() {
    Blocking.notifyEvery(this);
    PhoneSelector.tellAll();
  }
}
