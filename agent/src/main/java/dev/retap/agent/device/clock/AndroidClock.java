// Android's virtual clock in the form the thread scheduler asks for.
package dev.retap.agent.device.clock;

import android.os.SystemClock;
import dev.retap.agent.world.VirtualClock;

public final class AndroidClock implements VirtualClock {
  private static final long MILLI = 1_000_000L;

  private final LooperDeadlines deadlines;

  public AndroidClock(LooperDeadlines deadlines) {
    this.deadlines = deadlines;
  }

  /** Rounds up, so that nothing is run before it is due. */
  static long toMillis(long nanos) {
    return nanos == NEVER ? NEVER : nanos / MILLI + (nanos % MILLI == 0 ? 0 : 1);
  }

  @Override
  public long nanos() {
    return SystemClock.uptimeMillis() * MILLI;
  }

  @Override
  public long nextDue() {
    long due = deadlines.nextInBackground();
    return due == NEVER ? NEVER : due * MILLI;
  }

  @Override
  public long nextOnMain() {
    long due = deadlines.nextOnMain();
    return due == NEVER ? NEVER : due * MILLI;
  }

  @Override
  public void advanceTo(long nanos) {
    SystemClock.setCurrentTimeMillis(toMillis(nanos));
  }

  @Override
  public long epochMillis() {
    return EPOCH_MILLIS;
  }
}
