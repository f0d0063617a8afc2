// The options of a channel. They are kept and change nothing: a connection within the phone has no
// delays and no losses.
package dev.retap.agent.world.net;

import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

final class ChannelOptions {
  static final Set<SocketOption<?>> SUPPORTED =
      Set.of(
          StandardSocketOptions.SO_RCVBUF,
          StandardSocketOptions.SO_SNDBUF,
          StandardSocketOptions.SO_KEEPALIVE,
          StandardSocketOptions.SO_REUSEADDR,
          StandardSocketOptions.SO_LINGER,
          StandardSocketOptions.TCP_NODELAY,
          StandardSocketOptions.IP_TOS);

  private final Map<SocketOption<?>, Object> values = new HashMap<>();

  synchronized void set(SocketOption<?> option, Object value) {
    check(option);
    values.put(option, value);
  }

  /** Returns the option, or what a new socket of Linux answers. */
  @SuppressWarnings("unchecked")
  synchronized <T> T get(SocketOption<T> option) {
    check(option);
    Object set = values.get(option);
    if (set != null) {
      return (T) set;
    }
    if (option.type() == Boolean.class) {
      return (T) Boolean.FALSE;
    }
    int unset = option == StandardSocketOptions.SO_LINGER ? -1 : 0;
    boolean isBuffer =
        option == StandardSocketOptions.SO_RCVBUF || option == StandardSocketOptions.SO_SNDBUF;
    return (T) Integer.valueOf(isBuffer ? ByteQueue.CAPACITY : unset);
  }

  private static void check(SocketOption<?> option) {
    if (!SUPPORTED.contains(option)) {
      throw new UnsupportedOperationException("'" + option + "' not supported");
    }
  }
}
