// Detached threads that wanted a monitor, have got it and are about to queue for the baton again. A
// thread waits for them before it gives the baton up and before it enters a monitor. All threads
// thus learn at the same moment of the run that a monitor was left, however long the JVM takes to
// hand it on, and nobody enters it before those that waited for it.
package dev.retap.agent.world;

import dev.retap.agent.world.AppThread.State;
import java.util.concurrent.locks.LockSupport;

final class ReturningThreads {
  private static final long PAUSE_NANOS = 50_000;

  /** A thread that has not returned by then runs code that never calls the scheduler. */
  private static final int MOST_PAUSES = 20_000;

  private ReturningThreads() {}

  /** Waits, in real time, until every returning thread has queued for the baton. */
  static void await() {
    for (int i = 0; Baton.detached > 0 && i < MOST_PAUSES && areAnyReturning(); i++) {
      pause();
    }
  }

  private static boolean areAnyReturning() {
    for (AppThread thread : Baton.THREADS.values()) {
      if (thread.state == State.DETACHED
          && thread.contending
          && !thread.dying
          && thread.thread != Thread.currentThread()
          && !BatonInspector.isBlockedBy(thread.thread, Thread.currentThread())
          && !BatonInspector.isBlockedForGood(thread.thread)) {
        return true;
      }
    }
    return false;
  }

  /** Pauses in real time, as the host does. */
  private static void pause() {
    boolean wasInHost = Scheduler.enterHost();
    LockSupport.parkNanos(PAUSE_NANOS);
    Scheduler.leaveHost(wasInHost);
  }
}
