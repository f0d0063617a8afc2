// Runs the app until it is at rest: main looper idle, no thread of the app's able to run, nothing
// due within the quiet window. Time is virtual and only moves when nothing else can.
package dev.retap.agent.device;

import android.os.Looper;
import android.os.SystemClock;
import dev.retap.agent.world.Baton;
import dev.retap.agent.world.Timeline;
import dev.retap.agent.world.Turns;
import org.robolectric.Shadows;

final class Rest {
  private static final int QUIET_MILLIS = 250;
  private static final int LONGEST_MILLIS = 2_000;

  /** An app that runs more messages than this without time passing is never idle; it answers to
   * events all the same. */
  private static final int MOST_MESSAGES = 5_000;

  private final Loopers loopers;
  private final Endings endings;
  private long lastTime;
  private int messages;

  Rest(Loopers loopers, Endings endings) {
    this.loopers = loopers;
    this.endings = endings;
  }

  void settle() {
    advance(0);
  }

  /** Lets at least the given time pass, then comes to rest. */
  void advance(long atLeastMillis) {
    long earliestEnd = SystemClock.uptimeMillis() + atLeastMillis;
    long latestEnd = earliestEnd + LONGEST_MILLIS;
    lastTime = -1;
    while (true) {
      if (runOne()) {
        continue;
      }
      long now = SystemClock.uptimeMillis();
      long next = nextAnywhere();
      if (next <= Math.max(earliestEnd, Math.min(latestEnd, now + QUIET_MILLIS))) {
        moveTo(next);
      } else if (now < earliestEnd) {
        moveTo(earliestEnd);
      } else {
        return;
      }
    }
  }

  boolean isDueBy(long millis) {
    return nextAnywhere() <= millis;
  }

  /** Goes on to what is due next and comes to rest again. */
  void goOn() {
    moveTo(nextAnywhere());
    settle();
  }

  /** Lets exactly this much time pass and runs what falls due in it, as within a gesture. */
  void pass(long millis) {
    long end = SystemClock.uptimeMillis() + millis;
    lastTime = -1;
    while (true) {
      if (runOne()) {
        continue;
      }
      long next = nextAnywhere();
      if (next > end) {
        moveTo(end);
        return;
      }
      moveTo(next);
    }
  }

  /** Runs one message, or other threads until they block; says whether there was anything. */
  private boolean runOne() {
    endings.check();
    long now = SystemClock.uptimeMillis();
    if (now != lastTime) {
      lastTime = now;
      messages = 0;
      // Frames move the clock by themselves.
      Baton.timePassed();
    }
    boolean due = messages < MOST_MESSAGES && loopers.nextOnMain() <= now;
    if (Turns.othersReady()) {
      Turns.rest(due);
      endings.check();
      if (!due) {
        return true;
      }
    }
    if (due) {
      messages++;
      Shadows.shadowOf(Looper.getMainLooper()).runOneTask();
    }
    return due;
  }

  private void moveTo(long millis) {
    SystemClock.setCurrentTimeMillis(millis);
    Baton.timePassed();
  }

  /** Later than now: what is due and still there belongs to an app that is never idle. */
  private long nextAnywhere() {
    long now = SystemClock.uptimeMillis();
    long next = Math.min(loopers.nextInBackground(), Time.toMillis(Baton.nextDeadline()));
    long onMain = loopers.nextOnMain();
    next = onMain <= now ? next : Math.min(next, onMain);
    return next <= now ? Timeline.NEVER : next;
  }
}
