// The phone's ports and the sockets that hold them. All are free again when the phone's process
// ends.
package dev.retap.agent.world.net;

import java.net.BindException;
import java.util.HashMap;
import java.util.Map;

final class PortTable {
  /** The first port that a phone gives to a socket which asks for none in particular. */
  private static final int FIRST_EPHEMERAL = 32_768;

  private static final int LAST = 65_535;

  private static final Map<Integer, PhoneSocket> BOUND = new HashMap<>();

  private PortTable() {}

  /** Gives the socket the port, or a free one for port 0, and returns it. */
  static synchronized int bind(int port, PhoneSocket socket) throws BindException {
    int chosen = port;
    if (port == 0) {
      chosen = FIRST_EPHEMERAL;
      while (chosen <= LAST && BOUND.containsKey(chosen)) {
        chosen++;
      }
    }
    if (chosen > LAST || BOUND.putIfAbsent(chosen, socket) != null) {
      throw new BindException("bind failed: EADDRINUSE (Address already in use)");
    }
    return chosen;
  }

  /** Returns the socket that holds the port, or null. */
  static synchronized PhoneSocket holder(int port) {
    return BOUND.get(port);
  }

  /**
   * Frees the port if the socket holds it. Accepted sockets share their listener's port and do not.
   */
  static synchronized void release(int port, PhoneSocket socket) {
    BOUND.remove(port, socket);
  }
}
