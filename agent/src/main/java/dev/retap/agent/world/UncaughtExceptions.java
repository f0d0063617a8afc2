// Hears of an exception that reaches the top of an app thread before any handler does. An app may
// set handlers of its own (crash reporters, libraries that restart the app) that swallow the
// exception or exit; on a phone the process has crashed all the same.
package dev.retap.agent.world;

import java.lang.Thread.UncaughtExceptionHandler;

public final class UncaughtExceptions {
  private static volatile UncaughtExceptionHandler listener;

  private UncaughtExceptions() {}

  /** Sets who hears of exceptions on the app's threads. */
  public static void setListener(UncaughtExceptionHandler listener) {
    UncaughtExceptions.listener = listener;
  }

  /**
   * Tells the listener of an exception on an app thread. Returns true if it did, so that no handler
   * of the app runs: the process has ended.
   */
  public static boolean report(Thread thread, Throwable cause) {
    UncaughtExceptionHandler current = listener;
    if (current == null || !Baton.THREADS.containsKey(thread)) {
      return false;
    }
    current.uncaughtException(thread, cause);
    return true;
  }
}
