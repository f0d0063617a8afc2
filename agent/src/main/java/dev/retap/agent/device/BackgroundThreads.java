// The app's threads other than the main one: waited for while they run.
package dev.retap.agent.device;

import java.util.concurrent.locks.LockSupport;

final class BackgroundThreads {
  private static final long POLL_NANOS = 50_000;

  /** After this long a busy thread is looked at more closely. */
  private static final long GRACE_NANOS = 2_000_000;

  /** A thread that computes for longer is left behind; the step ends without it. */
  private static final long PATIENCE_NANOS = 2_000_000_000L;

  private final ThreadGroup group;

  BackgroundThreads(ThreadGroup group) {
    this.group = group;
  }

  /** Returns at once if all are idle; else waits for that and says true: look again. */
  boolean awaitIdle() {
    if (!busy(false)) {
      return false;
    }
    long start = System.nanoTime();
    long waited = 0;
    while (busy(waited > GRACE_NANOS)) {
      if (waited > PATIENCE_NANOS) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
      waited = System.nanoTime() - start;
    }
    return waited < GRACE_NANOS;
  }

  private boolean busy(boolean closely) {
    Thread[] threads = new Thread[group.activeCount() + 8];
    int count = group.enumerate(threads);
    for (int i = 0; i < count; i++) {
      Thread thread = threads[i];
      if (thread != Thread.currentThread()
          && thread.getState() == Thread.State.RUNNABLE
          && !(closely && inNativeCall(thread))) {
        return true;
      }
    }
    return false;
  }

  /** The JVM calls a thread that waits in accept() or read() runnable. */
  private static boolean inNativeCall(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    return stack.length == 0 || stack[0].isNativeMethod();
  }
}
