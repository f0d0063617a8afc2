// One direction of a connection within the phone: a bounded queue of bytes in virtual time.
package dev.retap.agent.world.jdk;

import dev.retap.agent.world.Blocking;
import dev.retap.agent.world.VirtualClock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;

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
    Blocking.notifyEvery(this);
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
        return most == 0 ? 0 : take(to, at, most, socket.deadline());
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
        for (int done = 0; done < count; ) {
          done += put(source, at + done, count - done);
        }
      }

      @Override
      public void close() {
        end();
      }
    };
  }

  private synchronized int take(byte[] to, int at, int most, long deadline) throws IOException {
    while (length == 0 && !ended) {
      PhoneSocket.await(this, deadline, "Read timed out");
    }
    if (length == 0) {
      return -1;
    }
    int count = Math.min(most, Math.min(length, CAPACITY - start));
    System.arraycopy(bytes, start, to, at, count);
    start = (start + count) % CAPACITY;
    length -= count;
    Blocking.notifyEvery(this);
    return count;
  }

  private synchronized int put(byte[] source, int at, int most) throws IOException {
    while (length == CAPACITY && !ended) {
      PhoneSocket.await(this, VirtualClock.NEVER, "");
    }
    if (ended) {
      throw new SocketException("sendto failed: EPIPE (Broken pipe)");
    }
    int to = (start + length) % CAPACITY;
    int count = Math.min(most, Math.min(CAPACITY - length, CAPACITY - to));
    System.arraycopy(source, at, bytes, to, count);
    length += count;
    Blocking.notifyEvery(this);
    return count;
  }
}
