// The phone's ports that the machine reaches: carries bytes between the host's requests and the
// phone's connections.
package dev.retap.agent.device.instrument;

import dev.retap.agent.wire.Transfer;
import dev.retap.agent.world.net.OutsideConnections;
import java.util.ArrayList;
import java.util.List;

public final class ForwardedPorts {
  private static final byte[] NOTHING = {};

  /** Connections that nobody in the phone took. */
  private final List<Transfer> refused = new ArrayList<>();

  /** Hands the phone what arrived. */
  public void deliver(List<Transfer> transfers) {
    for (Transfer one : transfers) {
      if (one.port() != 0 && !OutsideConnections.open(one.connection(), one.port())) {
        refused.add(new Transfer(one.connection(), 0, NOTHING, true));
      } else {
        OutsideConnections.send(
            new OutsideConnections.Transfer(one.connection(), one.bytes(), one.isLast()));
      }
    }
  }

  public boolean hasNews() {
    return !refused.isEmpty() || OutsideConnections.hasNews();
  }

  /** Takes what the phone sent. */
  public List<Transfer> take() {
    List<Transfer> all = new ArrayList<>(refused);
    refused.clear();
    for (OutsideConnections.Transfer one : OutsideConnections.receive()) {
      all.add(new Transfer(one.connection(), 0, one.bytes(), one.isLast()));
    }
    return all;
  }
}
