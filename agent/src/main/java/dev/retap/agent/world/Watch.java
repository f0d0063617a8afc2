// The baton seen from outside, because a thread may stop without telling.
package dev.retap.agent.world;

import dev.retap.agent.world.Turn.State;

public final class Watch {
  private Watch() {}

  /** The thread that holds the baton, or null. */
  public static Thread holder() {
    synchronized (Baton.LOCK) {
      return Baton.current == null ? null : Baton.current.thread;
    }
  }

  /** How often the baton has changed hands. */
  public static long handovers() {
    synchronized (Baton.LOCK) {
      return Baton.handovers;
    }
  }

  /** Nobody can run and no time will change that. */
  public static boolean stuck() {
    return Baton.stuck;
  }

  /** Whether this thread of the app's neither runs nor is about to leave the given monitor. */
  public static boolean restsHolding(long threadId, int monitorHash) {
    synchronized (Baton.LOCK) {
      for (Turn turn : Baton.TURNS.values()) {
        if (turn.thread.getId() == threadId) {
          return turn != Baton.current
              && (turn.monitor == null || System.identityHashCode(turn.monitor) != monitorHash);
        }
      }
      return false;
    }
  }

  /** Takes the baton from a thread that cannot go on, if it still has it. */
  public static void setAdrift(Thread thread) {
    synchronized (Baton.LOCK) {
      if (Baton.current != null && Baton.current.thread == thread) {
        Baton.current.state = State.ADRIFT;
        Baton.handOver();
      }
    }
  }
}
