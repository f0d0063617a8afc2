// A TCP socket of the phone: it reaches the phone's own sockets and nothing else. It is memory, not
// the machine's loopback, so the process needs no socket, nobody outside can connect, and who
// waits for whom is a matter of turns.
package dev.retap.agent.world;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

final class PhoneSocket extends SocketImpl {
  private final Map<Integer, Object> options = new HashMap<>();

  /** Connected and not yet accepted; null unless this socket listens. */
  private ArrayDeque<PhoneSocket> waiting;

  private int backlog;
  private ByteQueue in;
  private ByteQueue out;
  private boolean closed;

  @Override
  protected void create(boolean stream) throws IOException {
    if (!stream) {
      throw new SocketException("socket failed: EPERM (Operation not permitted)");
    }
    Network.opened(this::close);
  }

  @Override
  protected void bind(InetAddress host, int port) throws IOException {
    address = host;
    localport = Loopback.bind(port, this);
  }

  @Override
  protected void listen(int backlog) {
    this.backlog = Math.max(1, backlog);
    waiting = new ArrayDeque<>();
  }

  @Override
  protected void connect(String host, int port) throws IOException {
    connect(new InetSocketAddress(host, port), 0);
  }

  @Override
  protected void connect(InetAddress host, int port) throws IOException {
    connect(new InetSocketAddress(host, port), 0);
  }

  @Override
  protected void connect(SocketAddress to, int timeout) throws IOException {
    if (!(to instanceof InetSocketAddress there) || there.isUnresolved()) {
      throw new UnknownHostException(String.valueOf(to));
    }
    PhoneSocket listener = Loopback.listener(there.getPort());
    if (listener == null || !listener.admit(this)) {
      throw new ConnectException(
          "failed to connect to " + there.getAddress() + " (port " + there.getPort()
              + "): connect failed: ECONNREFUSED (Connection refused)");
    }
    address = there.getAddress();
    port = there.getPort();
    localport = localport == 0 ? Loopback.bind(0, this) : localport;
  }

  private synchronized boolean admit(PhoneSocket client) {
    if (closed || waiting == null || waiting.size() >= backlog) {
      return false;
    }
    client.in = new ByteQueue();
    client.out = new ByteQueue();
    waiting.add(client);
    Blocking.notifyEvery(this);
    return true;
  }

  @Override
  protected void accept(SocketImpl accepted) throws IOException {
    PhoneSocket client;
    synchronized (this) {
      long until = deadline();
      while (!closed && waiting.isEmpty()) {
        await(this, until, "Accept timed out");
      }
      if (closed) {
        throw new SocketException("Socket closed");
      }
      client = waiting.remove();
    }
    PhoneSocket server = (PhoneSocket) accepted;
    server.in = client.out;
    server.out = client.in;
    server.address = address;
    server.port = client.localport;
    server.localport = localport;
  }

  @Override
  protected InputStream getInputStream() throws IOException {
    return connected(in).input(this);
  }

  @Override
  protected OutputStream getOutputStream() throws IOException {
    return connected(out).output();
  }

  @Override
  protected int available() throws IOException {
    return connected(in).available();
  }

  @Override
  protected void close() throws IOException {
    Loopback.release(localport, this);
    synchronized (this) {
      closed = true;
      Blocking.notifyEvery(this);
    }
    shutdownInput();
    shutdownOutput();
  }

  @Override
  protected void shutdownInput() {
    if (in != null) {
      in.end();
    }
  }

  @Override
  protected void shutdownOutput() {
    if (out != null) {
      out.end();
    }
  }

  @Override
  protected void sendUrgentData(int data) throws IOException {
    getOutputStream().write(data);
  }

  @Override
  public void setOption(int option, Object value) {
    options.put(option, value);
  }

  /** What a new socket of Linux answers, for the options that somebody asks for. */
  @Override
  public Object getOption(int option) {
    Object set = options.get(option);
    if (set != null) {
      return set;
    }
    return switch (option) {
      case SocketOptions.SO_TIMEOUT, SocketOptions.IP_TOS -> 0;
      case SocketOptions.SO_SNDBUF, SocketOptions.SO_RCVBUF -> ByteQueue.CAPACITY;
      case SocketOptions.SO_LINGER -> -1;
      case SocketOptions.SO_BINDADDR -> address;
      default -> false;
    };
  }

  /** When a wait that begins now ends, in the phone's time. */
  long deadline() {
    int timeout = (Integer) getOption(SocketOptions.SO_TIMEOUT);
    return timeout == 0 ? Turn.NEVER : Blocking.nanoTime() + timeout * 1_000_000L;
  }

  /** Until the monitor is notified; its lock is held. */
  static void await(Object monitor, long until, String late) throws IOException {
    long left = until == Turn.NEVER ? 0 : until - Blocking.nanoTime();
    if (left < 0 || until != Turn.NEVER && left == 0) {
      throw new SocketTimeoutException(late);
    }
    try {
      Blocking.await(monitor, left / 1_000_000, (int) (left % 1_000_000));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SocketException("Closed by interrupt");
    }
  }

  private static ByteQueue connected(ByteQueue queue) throws SocketException {
    if (queue == null) {
      throw new SocketException("Socket is not connected");
    }
    return queue;
  }
}
