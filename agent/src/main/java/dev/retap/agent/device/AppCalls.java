// What the app's rewritten calls reach: the virtual clock, and an end of the process that ends
// only the app. Public, because the app's classes come from another loader.
package dev.retap.agent.device;

import android.os.Looper;
import android.os.Process;
import android.os.SystemClock;

public final class AppCalls {
  /** When the virtual clock starts, as time of day; every world begins at the same moment. */
  private static final long EPOCH_MILLIS = 1_704_067_200_000L;

  private AppCalls() {}

  public static long currentTimeMillis() {
    return EPOCH_MILLIS + SystemClock.uptimeMillis();
  }

  public static long nanoTime() {
    return SystemClock.uptimeMillis() * 1_000_000L;
  }

  public static void exit(int code) {
    throw new Endings.Exit(Integer.toString(code));
  }

  public static void exit(Runtime runtime, int code) {
    exit(code);
  }

  public static void killProcess(int pid) {
    if (pid == Process.myPid()) {
      throw new Endings.Exit("killed");
    }
  }

  public static void sleep(long millis, int nanos) throws InterruptedException {
    sleep(millis);
  }

  /** On the main thread a sleep just moves the clock; elsewhere it waits until the clock moves. */
  public static void sleep(long millis) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (millis < 0) {
      throw new IllegalArgumentException("timeout value is negative");
    }
    if (Looper.getMainLooper().isCurrentThread()) {
      SystemClock.setCurrentTimeMillis(SystemClock.uptimeMillis() + millis);
    } else {
      Sleepers.sleep(SystemClock.uptimeMillis() + millis);
    }
  }
}
