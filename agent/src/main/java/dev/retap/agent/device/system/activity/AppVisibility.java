// Whether the app is seen, and for how long it has not been. An app that nobody sees may start
// fewer things, the fewer the longer it lasts, unless the system has just called it.
package dev.retap.agent.device.system.activity;

import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import java.util.ArrayList;
import java.util.List;

public final class AppVisibility {
  /** After this time an app that nobody sees is idle, as the activity manager calls it. */
  private static final long IDLE_MILLIS = 60_000;

  /** So long after it was seen an app may still start activities. */
  private static final long ACTIVITIES_MILLIS = 10_000;

  /** So long after it was seen an app may still start services for the foreground. */
  private static final long FOREGROUND_MILLIS = 5_000;

  /** So long after the system has called it an app may start what one that is seen may. */
  private static final long CALLED_MILLIS = 10_000;

  private final Handler clock = new Handler(Looper.getMainLooper());
  private final List<Runnable> idleListeners = new ArrayList<>();
  private final Runnable becomeIdle = () -> idleListeners.forEach(Runnable::run);

  private boolean isSeen = true;
  private long hiddenSince;
  private long calledUntil;

  /** Adds who is told when the app becomes idle. */
  public void onIdle(Runnable listener) {
    idleListeners.add(listener);
  }

  void setSeen(boolean isSeen) {
    if (this.isSeen != isSeen) {
      this.isSeen = isSeen;
      hiddenSince = SystemClock.uptimeMillis();
      clock.removeCallbacks(becomeIdle);
      if (!isSeen) {
        clock.postDelayed(becomeIdle, IDLE_MILLIS);
      }
    }
  }

  /** Notes that the system calls the app: an alarm, a message, a notification that was opened. */
  public void called() {
    calledUntil = SystemClock.uptimeMillis() + CALLED_MILLIS;
  }

  boolean isIdle() {
    return isHiddenFor(IDLE_MILLIS);
  }

  boolean mayStartActivities() {
    return !isHiddenFor(ACTIVITIES_MILLIS);
  }

  boolean mayStartForeground() {
    return !isHiddenFor(FOREGROUND_MILLIS);
  }

  private boolean isHiddenFor(long millis) {
    long now = SystemClock.uptimeMillis();
    return !isSeen && now - hiddenSince >= millis && now >= calledUntil;
  }
}
