// A phone without a network: names do not resolve and nothing is reachable, at once and always with
// the same words. An app may listen and connect within its own phone; what it left open closes
// with its process.
package dev.retap.agent.world;

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

  private Network() {}

  public static void resolving(String host) throws UnknownHostException {
    if (host != null && !host.isEmpty() && !host.equals("localhost") && !literal(host)
        && Chance.mine()) {
      throw new UnknownHostException(
          "Unable to resolve host \"" + host + "\": No address associated with hostname");
    }
  }

  /** Every socket of this process is the phone's: the process itself has none to open. */
  @SuppressWarnings("deprecation")
  public static void begin() throws IOException {
    Socket.setSocketImplFactory(PhoneSocket::new);
    ServerSocket.setSocketFactory(PhoneSocket::new);
  }

  public static void connecting(SocketAddress to) throws IOException {
    if (!Chance.mine()) {
      return;
    }
    if (to instanceof InetSocketAddress address) {
      InetAddress host = address.getAddress();
      if (host == null) {
        throw new UnknownHostException(address.getHostName());
      }
      if (!host.isLoopbackAddress()) {
        throw new ConnectException(
            "failed to connect to " + host + " (port " + address.getPort()
                + "): connect failed: ENETUNREACH (Network is unreachable)");
      }
    }
  }

  /** Channels and datagrams are the machine's, and the process could not open one either. */
  public static void opening() throws SocketException {
    if (Chance.mine()) {
      throw new SocketException("socket failed: EPERM (Operation not permitted)");
    }
  }

  static void opened(Closeable socket) {
    if (Chance.mine()) {
      synchronized (OPEN) {
        OPEN.add(socket);
      }
    }
  }

  /** What a dead process leaves open. */
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
        // It is gone either way.
      }
    }
  }

  private static boolean literal(String host) {
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c == ':' || c == '%') {
        return true;
      }
      if (c != '.' && (c < '0' || c > '9')) {
        return false;
      }
    }
    return true;
  }
}
