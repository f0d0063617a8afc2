// A look at the baton from outside, for the watchdog: a thread may stop without telling the
// scheduler.
package dev.retap.agent.world;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

public final class BatonInspector {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private BatonInspector() {}

  /** Returns the thread that holds the baton, or null. */
  public static Thread holder() {
    synchronized (Baton.LOCK) {
      return Baton.holder == null ? null : Baton.holder.thread;
    }
  }

  /**
   * Returns false if the thread that holds the baton, or else the given one, waits for something.
   * It takes no lock, so the answer may be a moment old.
   */
  public static boolean seemsToRun(Thread main) {
    AppThread holder = Baton.holder;
    Thread running = holder == null ? main : holder.thread;
    return running.getState() == Thread.State.RUNNABLE;
  }

  /** Returns the number of times the baton has changed hands. */
  public static long handovers() {
    synchronized (Baton.LOCK) {
      return Baton.handovers;
    }
  }

  /** Returns true if no thread can run and the passing of time cannot change that. */
  public static boolean isStuck() {
    return Baton.stuck;
  }

  /** Returns true if the thread waits for a monitor whose owner waits for the baton. */
  public static boolean isBlockedForGood(Thread thread) {
    if (thread.getState() != Thread.State.BLOCKED) {
      // The JVM's answer would give the monitor an identity hash that is not the world's.
      return false;
    }
    ThreadInfo info = THREADS.getThreadInfo(thread.getId());
    return info != null
        && info.getThreadState() == Thread.State.BLOCKED
        && info.getLockInfo() != null
        && !isOfScheduler(info.getLockInfo())
        && keepsMonitor(info.getLockOwnerId(), info.getLockInfo().getIdentityHashCode());
  }

  /**
   * Returns true if the monitor is one of the scheduler's own. A thread that has just got the baton
   * may wait for the one that gave it, which is about to leave them.
   */
  private static boolean isOfScheduler(LockInfo monitor) {
    return monitor.getIdentityHashCode() == System.identityHashCode(Baton.LOCK)
        || monitor.getClassName().equals(AppThread.class.getName());
  }

  /** Returns true if the thread waits for a monitor that the given owner holds. */
  static boolean isBlockedBy(Thread thread, Thread owner) {
    ThreadInfo info = THREADS.getThreadInfo(thread.getId());
    return info != null
        && info.getThreadState() == Thread.State.BLOCKED
        && info.getLockOwnerId() == owner.getId();
  }

  /**
   * Returns true if the thread is one of the app's that neither runs nor is about to leave the
   * monitor.
   */
  private static boolean keepsMonitor(long threadId, int monitorHash) {
    synchronized (Baton.LOCK) {
      for (AppThread thread : Baton.THREADS.values()) {
        if (thread.thread.getId() == threadId) {
          return thread != Baton.holder
              && (thread.monitor == null || System.identityHashCode(thread.monitor) != monitorHash);
        }
      }
      return false;
    }
  }
}
