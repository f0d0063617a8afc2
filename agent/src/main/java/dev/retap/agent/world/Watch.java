// The baton seen from outside, because a thread may stop without telling.
package dev.retap.agent.world;

import dev.retap.agent.world.Turn.State;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

public final class Watch {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

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

  /** Whether it waits for a monitor whose owner waits for its turn. */
  public static boolean blockedForGood(Thread thread) {
    ThreadInfo info = THREADS.getThreadInfo(thread.getId());
    return info != null
        && info.getThreadState() == Thread.State.BLOCKED
        && info.getLockInfo() != null
        && restsHolding(info.getLockOwnerId(), info.getLockInfo().getIdentityHashCode());
  }

  /** Whether it waits for a monitor that this thread has. */
  static boolean blockedFor(Thread thread, Thread owner) {
    ThreadInfo info = THREADS.getThreadInfo(thread.getId());
    return info != null
        && info.getThreadState() == Thread.State.BLOCKED
        && info.getLockOwnerId() == owner.getId();
  }

  /** Whether this thread of the app's neither runs nor is about to leave the given monitor. */
  private static boolean restsHolding(long threadId, int monitorHash) {
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

  /**
   * Takes the baton from a thread that cannot go on, if it still has it.
   *
   * @param contending because somebody at rest has the monitor that it wants
   */
  public static void setAdrift(Thread thread, boolean contending) {
    synchronized (Baton.LOCK) {
      if (Baton.current != null && Baton.current.thread == thread) {
        Baton.current.state = State.ADRIFT;
        Baton.current.contending = contending;
        Baton.adrift++;
        Baton.handOver();
      }
    }
  }
}
