// Hears of an exit of the JVM before it happens. An app may ask for it by reflection, past the
// calls that are redirected in its code; on a phone its process ends, and so does it here.
package dev.retap.agent.world.jdk;

import dev.retap.agent.world.Scheduler;
import java.util.function.IntConsumer;

public final class ProcessExit {
  private static volatile IntConsumer listener;

  private ProcessExit() {}

  /** Sets who ends the app's process. */
  public static void setListener(IntConsumer listener) {
    ProcessExit.listener = listener;
  }

  /** Ends the app's process instead of the JVM. Returns false if the host asks for the exit. */
  public static boolean endsApp(int code) {
    IntConsumer current = listener;
    if (current == null || !Scheduler.isAppThread()) {
      return false;
    }
    current.accept(code);
    return true;
  }
}
