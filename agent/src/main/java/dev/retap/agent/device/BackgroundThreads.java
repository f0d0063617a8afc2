// The app's threads other than the main one: waited for while they run.
package dev.retap.agent.device;

import java.util.concurrent.locks.LockSupport;

final class BackgroundThreads {
  private static final long POLL_NANOS = 50_000;

  /** A thread that stays in native code this long is taken to wait for the outside. */
  private static final long PATIENCE_NANOS = 2_000_000_000L;

  private final ThreadGroup group;

  BackgroundThreads(ThreadGroup group) {
    this.group = group;
  }

  /** Returns at once if all are idle; else waits for that and says true: look again. */
  boolean awaitIdle() {
    if (!busy()) {
      return false;
    }
    long start = System.nanoTime();
    while (busy()) {
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }

  private boolean busy() {
    Thread[] threads = new Thread[group.activeCount() + 8];
    int count = group.enumerate(threads);
    for (int i = 0; i < count; i++) {
      Thread thread = threads[i];
      if (thread != Thread.currentThread() && thread.getState() == Thread.State.RUNNABLE) {
        return true;
      }
    }
    return false;
  }
}
