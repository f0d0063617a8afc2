// When the app last opened a file for writing, by the world's clock. The machine's own times differ
// from run to run.
package dev.retap.agent.world.jdk;

import dev.retap.agent.world.Blocking;
import dev.retap.agent.world.Scheduler;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public final class FileTimes {
  private static final Map<String, Long> WRITTEN = new ConcurrentHashMap<>();

  private FileTimes() {}

  /** Forgets all files: the app's data is gone. */
  public static void reset() {
    WRITTEN.clear();
  }

  static void opened(String hostPath) {
    if (hostPath != null && Scheduler.isAppThread()) {
      WRITTEN.put(hostPath, Blocking.currentTimeMillis());
    }
  }

  /** Returns the time of a file of this machine, or the given one if it is not known. */
  public static long of(String hostPath, long unknown) {
    return WRITTEN.getOrDefault(hostPath, unknown);
  }
}
