// The ports of the phone, and who has them. All are free again when the phone's process ends.
package dev.retap.agent.world;

import java.net.BindException;
import java.util.HashMap;
import java.util.Map;

final class Loopback {
  /** Where a phone begins to number the sockets that do not care. */
  private static final int FIRST_FREE = 32_768;

  private static final int LAST = 65_535;

  private static final Map<Integer, PhoneSocket> BOUND = new HashMap<>();

  private Loopback() {}

  static synchronized int bind(int port, PhoneSocket socket) throws BindException {
    int chosen = port;
    if (port == 0) {
      chosen = FIRST_FREE;
      while (chosen <= LAST && BOUND.containsKey(chosen)) {
        chosen++;
      }
    }
    if (chosen > LAST || BOUND.putIfAbsent(chosen, socket) != null) {
      throw new BindException("bind failed: EADDRINUSE (Address already in use)");
    }
    return chosen;
  }

  static synchronized PhoneSocket listener(int port) {
    return BOUND.get(port);
  }

  /** Accepted sockets share their listener's port and do not free it. */
  static synchronized void release(int port, PhoneSocket socket) {
    BOUND.remove(port, socket);
  }
}
