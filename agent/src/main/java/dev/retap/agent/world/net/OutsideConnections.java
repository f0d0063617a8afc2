// Connections that come from outside the phone: the bytes that go in and out of its ports. The host
// carries them; nothing here is a socket of the machine.
package dev.retap.agent.world.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public final class OutsideConnections {
  private static final Map<Integer, Connection> OPEN = new TreeMap<>();

  private OutsideConnections() {}

  /**
   * Bytes of a connection.
   *
   * @param isLast whether the sender sends no more
   */
  public record Transfer(int connection, byte[] bytes, boolean isLast) {}

  /** The outer end of a connection. */
  private static final class Connection {
    final PhoneSocket end;

    /** Bytes that the phone has no room for yet. */
    ByteBuffer waiting = ByteBuffer.allocate(0);

    boolean isLast;

    Connection(PhoneSocket end) {
      this.end = end;
    }

    void add(Transfer transfer) {
      ByteBuffer all = ByteBuffer.allocate(waiting.remaining() + transfer.bytes.length);
      waiting = all.put(waiting).put(transfer.bytes).flip();
      isLast |= transfer.isLast;
    }

    void push() {
      try {
        end.out().put(waiting, false);
      } catch (IOException e) {
        // The phone has closed its end, which the host learns when it receives.
        waiting.clear().flip();
      }
      if (isLast && !waiting.hasRemaining()) {
        end.shutdownOutput();
      }
    }

    boolean hasNews() {
      return end.in().isReadable() || waiting.hasRemaining() && end.out().isWritable();
    }
  }

  /** Connects to a port of the phone. Returns false if nobody listens there. */
  public static synchronized boolean open(int connection, int port) {
    PhoneSocket end = new PhoneSocket();
    try {
      end.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException e) {
      return false;
    }
    OPEN.put(connection, new Connection(end));
    return true;
  }

  /** Sends bytes into the phone. */
  public static synchronized void send(Transfer transfer) {
    Connection connection = OPEN.get(transfer.connection);
    if (connection != null) {
      connection.add(transfer);
      connection.push();
    }
  }

  /** Takes what the phone has sent since the last call. */
  public static synchronized List<Transfer> receive() {
    List<Transfer> all = new ArrayList<>();
    for (int number : new ArrayList<>(OPEN.keySet())) {
      Connection connection = OPEN.get(number);
      connection.push();
      ByteQueue in = connection.end.in();
      ByteBuffer taken = ByteBuffer.allocate(in.available());
      in.take(taken);
      boolean isLast = in.isEnded();
      if (taken.position() > 0 || isLast) {
        all.add(new Transfer(number, taken.array(), isLast));
      }
      if (isLast) {
        OPEN.remove(number);
        close(connection.end);
      }
    }
    return all;
  }

  /** Returns true if there is something to receive, or room for bytes that wait. */
  public static synchronized boolean hasNews() {
    for (Connection connection : OPEN.values()) {
      if (connection.hasNews()) {
        return true;
      }
    }
    return false;
  }

  private static void close(PhoneSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more either way.
    }
  }
}
