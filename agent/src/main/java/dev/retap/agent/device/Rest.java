// Runs the app until it is at rest: main looper idle, no background thread of the app's busy,
// nothing due within the quiet window. Time is virtual and only moves when nothing else can.
package dev.retap.agent.device;

import android.os.Looper;
import android.os.SystemClock;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowLooper;

final class Rest {
  private static final int QUIET_MILLIS = 250;
  private static final int LONGEST_MILLIS = 3_000;

  /** More messages than this without time passing is an app that never comes to rest. */
  private static final int MOST_MESSAGES = 20_000;

  /** The main thread never came to rest. */
  static final class NotResponding extends RuntimeException {}

  private final BackgroundThreads background;
  private final Endings endings;

  Rest(BackgroundThreads background, Endings endings) {
    this.background = background;
    this.endings = endings;
  }

  void settle() {
    advance(0);
  }

  /** Lets at least the given time pass, then comes to rest. */
  void advance(long atLeastMillis) {
    ShadowLooper main = Shadows.shadowOf(Looper.getMainLooper());
    long start = SystemClock.uptimeMillis();
    long earliestEnd = start + atLeastMillis;
    long latestEnd = earliestEnd + LONGEST_MILLIS;
    long lastTime = start;
    int messages = 0;
    while (true) {
      endings.check();
      long now = SystemClock.uptimeMillis();
      if (now != lastTime) {
        lastTime = now;
        messages = 0;
      }
      Sleepers.wake();
      long due = nextDue(main);
      if (due <= now) {
        if (++messages > MOST_MESSAGES) {
          throw new NotResponding();
        }
        main.runOneTask();
      } else if (background.awaitIdle()) {
        continue;
      } else if (nextAnywhere(main)
          <= Math.max(earliestEnd, Math.min(latestEnd, now + QUIET_MILLIS))) {
        SystemClock.setCurrentTimeMillis(nextAnywhere(main));
      } else if (now < earliestEnd) {
        SystemClock.setCurrentTimeMillis(earliestEnd);
      } else {
        return;
      }
    }
  }

  /** Lets exactly this much time pass and runs what falls due in it, as within a gesture. */
  void pass(long millis) {
    ShadowLooper main = Shadows.shadowOf(Looper.getMainLooper());
    long end = SystemClock.uptimeMillis() + millis;
    for (int messages = 0; nextDue(main) <= end; messages++) {
      if (messages > MOST_MESSAGES) {
        throw new NotResponding();
      }
      main.runOneTask();
    }
    SystemClock.setCurrentTimeMillis(end);
  }

  private static long nextDue(ShadowLooper looper) {
    long due = looper.getNextScheduledTaskTime().toMillis();
    return due == 0 ? Long.MAX_VALUE : due;
  }

  private static long nextAnywhere(ShadowLooper looper) {
    return Math.min(nextDue(looper), Sleepers.nextDue());
  }
}
