// A phone without programs to start: whatever is asked for is not there.
package dev.retap.agent.world;

import java.io.IOException;

public final class Programs {
  private Programs() {}

  /** The JDK adds the program's name to this. */
  public static void starting() throws IOException {
    if (Chance.mine()) {
      throw new IOException("error=2, No such file or directory");
    }
  }
}
