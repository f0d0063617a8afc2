// A phone without programs: any that the app starts does not exist.
package dev.retap.agent.world.jdk;

import dev.retap.agent.world.Scheduler;
import java.io.IOException;

public final class ChildProcesses {
  private ChildProcesses() {}

  /** Throws for the app. The JDK adds the program's name to the message. */
  public static void checkStart() throws IOException {
    if (Scheduler.isAppThread()) {
      throw new IOException("error=2, No such file or directory");
    }
  }
}
