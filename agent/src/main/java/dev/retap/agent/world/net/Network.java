// A phone without a network: names do not resolve and no address is reachable. Both fail at once
// and always with the same message. An app may listen and connect within its own phone; the sockets
// that it leaves open close with its process.
package dev.retap.agent.world.net;

import dev.retap.agent.world.Scheduler;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

public final class Network {
  private static final List<Closeable> OPEN = new ArrayList<>();

  private static Runnable guard = () -> {};

  private Network() {}

  /** Sets what is asked before an app waits for the network; it throws if the thread may not. */
  public static void setGuard(Runnable check) {
    guard = check;
  }

  /** Asks if the app's thread may wait for the network. */
  static void guard() {
    if (Scheduler.isAppThread()) {
      guard.run();
    }
  }

  /** Throws unless the host is local or written as an address. */
  public static void checkResolve(String host) throws UnknownHostException {
    if (host != null && !host.isEmpty() && !isAddress(host) && Scheduler.isAppThread()) {
      guard();
      if (host.equals("localhost")) {
        return;
      }
      throw new UnknownHostException(
          "Unable to resolve host \"" + host + "\": No address associated with hostname");
    }
  }

  /**
   * Makes every socket of this process a socket of the phone: the process itself may not open any.
   */
  @SuppressWarnings("deprecation")
  public static void installSockets() throws IOException {
    Socket.setSocketImplFactory(PhoneSocket::new);
    ServerSocket.setSocketFactory(PhoneSocket::new);
  }

  /** Throws unless the address is the phone itself. */
  public static void checkConnect(SocketAddress to) throws IOException {
    if (!Scheduler.isAppThread()) {
      return;
    }
    guard();
    if (to instanceof InetSocketAddress address) {
      InetAddress host = address.getAddress();
      if (host == null) {
        throw new UnknownHostException(address.getHostName());
      }
      if (!host.isLoopbackAddress()) {
        throw new ConnectException(
            "failed to connect to "
                + host
                + " (port "
                + address.getPort()
                + "): connect failed: ENETUNREACH (Network is unreachable)");
      }
    }
  }

  /**
   * Refuses channels and datagrams: they are the machine's, and the process could not open one
   * either.
   */
  public static void checkOpen() throws SocketException {
    if (Scheduler.isAppThread()) {
      throw new SocketException("socket failed: EPERM (Operation not permitted)");
    }
  }

  static void trackOpen(Closeable socket) {
    if (Scheduler.isAppThread()) {
      synchronized (OPEN) {
        OPEN.add(socket);
      }
    }
  }

  /** Closes what an ended process has left open. */
  public static void closeAll() {
    List<Closeable> left;
    synchronized (OPEN) {
      left = new ArrayList<>(OPEN);
      OPEN.clear();
    }
    for (Closeable socket : left) {
      try {
        socket.close();
      } catch (IOException e) {
        // The socket is unusable either way.
      }
    }
  }

  private static boolean isAddress(String host) {
    if (host.indexOf(':') >= 0) {
      return true;
    }
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c != '.' && (c < '0' || c > '9')) {
        return false;
      }
    }
    return true;
  }
}
