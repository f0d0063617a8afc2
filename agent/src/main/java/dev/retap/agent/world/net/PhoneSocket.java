// A TCP socket of the phone, which reaches the phone's own sockets and nothing else. It is made of
// memory, not of the machine's loopback: the process needs no socket, no other program can connect,
// and the scheduler controls every wait.
package dev.retap.agent.world.net;

import dev.retap.agent.world.Blocking;
import dev.retap.agent.world.VirtualClock;
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

  /** Clients that have connected and are not yet accepted; null unless this socket listens. */
  private ArrayDeque<PhoneSocket> pending;

  private int backlog;
  private ByteQueue in;
  private ByteQueue out;
  private boolean closed;

  @Override
  protected void create(boolean stream) throws IOException {
    if (!stream) {
      throw new SocketException("socket failed: EPERM (Operation not permitted)");
    }
    Network.trackOpen(this::close);
  }

  @Override
  protected void bind(InetAddress host, int port) throws IOException {
    address = host;
    localport = PortTable.bind(port, this);
  }

  @Override
  protected void listen(int backlog) {
    this.backlog = Math.max(1, backlog);
    pending = new ArrayDeque<>();
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
    if (!(to instanceof InetSocketAddress remote) || remote.isUnresolved()) {
      throw new UnknownHostException(String.valueOf(to));
    }
    PhoneSocket listener = PortTable.holder(remote.getPort());
    if (listener == null || !listener.admit(this)) {
      throw new ConnectException(
          "failed to connect to "
              + remote.getAddress()
              + " (port "
              + remote.getPort()
              + "): connect failed: ECONNREFUSED (Connection refused)");
    }
    address = remote.getAddress();
    port = remote.getPort();
    localport = localport == 0 ? PortTable.bind(0, this) : localport;
  }

  /** Queues a client and connects it. Returns false if the connection is refused. */
  private synchronized boolean admit(PhoneSocket client) {
    if (closed || pending == null || pending.size() >= backlog) {
      return false;
    }
    client.in = new ByteQueue();
    client.out = new ByteQueue();
    pending.add(client);
    Blocking.notifyEvery(this);
    PhoneSelector.tellAll();
    return true;
  }

  @Override
  protected void accept(SocketImpl accepted) throws IOException {
    join((PhoneSocket) accepted, awaitClient());
  }

  /** Returns the server's end of the next connection, and waits for it. */
  PhoneSocket acceptNext() throws IOException {
    return serverEnd(awaitClient());
  }

  /** Returns the server's end of the next connection, or null if nobody waits. */
  synchronized PhoneSocket acceptNow() {
    PhoneSocket client = closed ? null : pending.poll();
    return client == null ? null : serverEnd(client);
  }

  private synchronized PhoneSocket awaitClient() throws IOException {
    Network.guard();
    long deadline = deadline();
    while (!closed && pending.isEmpty()) {
      await(this, deadline, "Accept timed out");
    }
    if (closed) {
      throw new SocketException("Socket closed");
    }
    return pending.remove();
  }

  private PhoneSocket serverEnd(PhoneSocket client) {
    PhoneSocket server = new PhoneSocket();
    Network.trackOpen(server::close);
    join(server, client);
    return server;
  }

  private void join(PhoneSocket server, PhoneSocket client) {
    server.in = client.out;
    server.out = client.in;
    server.address = InetAddress.getLoopbackAddress();
    server.port = client.localport;
    server.localport = localport;
  }

  synchronized boolean hasPending() {
    return pending != null && !pending.isEmpty();
  }

  boolean isConnected() {
    return in != null;
  }

  InetSocketAddress remote() {
    return new InetSocketAddress(address, port);
  }

  int ownPort() {
    return localport;
  }

  /** Returns the bytes that arrive, or null before there is a connection. */
  ByteQueue in() {
    return in;
  }

  /** Returns the bytes that leave, or null before there is a connection. */
  ByteQueue out() {
    return out;
  }

  @Override
  protected InputStream getInputStream() throws IOException {
    return requireConnected(in).input(this);
  }

  @Override
  protected OutputStream getOutputStream() throws IOException {
    return requireConnected(out).output();
  }

  @Override
  protected int available() throws IOException {
    return requireConnected(in).available();
  }

  @Override
  protected void close() throws IOException {
    PortTable.release(localport, this);
    synchronized (this) {
      closed = true;
      Blocking.notifyEvery(this);
      PhoneSelector.tellAll();
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

  /** Returns the option, or what a new socket of Linux answers. */
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

  /** Returns the virtual time at which a wait that begins now times out. */
  long deadline() {
    int timeout = (Integer) getOption(SocketOptions.SO_TIMEOUT);
    return timeout == 0 ? VirtualClock.NEVER : Blocking.nanoTime() + timeout * 1_000_000L;
  }

  /**
   * Waits until the monitor, which the caller holds, is notified.
   *
   * @param timeoutMessage the message of the exception if the deadline comes first
   */
  static void await(Object monitor, long deadline, String timeoutMessage) throws IOException {
    long left = deadline == VirtualClock.NEVER ? 0 : deadline - Blocking.nanoTime();
    if (left < 0 || deadline != VirtualClock.NEVER && left == 0) {
      throw new SocketTimeoutException(timeoutMessage);
    }
    try {
      Blocking.await(monitor, left / 1_000_000, (int) (left % 1_000_000));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SocketException("Closed by interrupt");
    }
  }

  private static ByteQueue requireConnected(ByteQueue queue) throws SocketException {
    if (queue == null) {
      throw new SocketException("Socket is not connected");
    }
    return queue;
  }
}
