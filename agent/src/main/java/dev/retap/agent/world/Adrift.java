// Threads that were adrift for want of a monitor and are on their way back. Whoever gives the baton up
// waits for them first: that a monitor was left is then known to everybody at the same moment of the
// run, however long the JVM takes to hand it on.
package dev.retap.agent.world;

import dev.retap.agent.world.Turn.State;
import java.util.concurrent.locks.LockSupport;

final class Adrift {
  private static final long PAUSE_NANOS = 50_000;

  /** One that does not come back by then runs code that knows no turns. */
  private static final int MOST_PAUSES = 20_000;

  private Adrift() {}

  static void settle() {
    for (int i = 0; Baton.adrift > 0 && i < MOST_PAUSES && anyComing(); i++) {
      pause();
    }
  }

  private static boolean anyComing() {
    for (Turn turn : Baton.TURNS.values()) {
      if (turn.state == State.ADRIFT
          && turn.contending
          && !turn.dying
          && turn.thread != Thread.currentThread()
          && !Watch.blockedFor(turn.thread, Thread.currentThread())
          && !Watch.blockedForGood(turn.thread)) {
        return true;
      }
    }
    return false;
  }

  /** As the host, for whom time is real. */
  private static void pause() {
    Turn self = Baton.TURNS.get(Thread.currentThread());
    boolean before = self != null && self.inHost;
    if (self != null) {
      self.inHost = true;
    }
    LockSupport.parkNanos(PAUSE_NANOS);
    if (self != null) {
      self.inHost = before;
    }
  }
}
