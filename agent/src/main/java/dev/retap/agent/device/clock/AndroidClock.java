// Android's virtual clock in the form the thread scheduler asks for.
package dev.retap.agent.device.clock;

import android.os.SystemClock;
import dev.retap.agent.world.VirtualClock;

public final class AndroidClock implements VirtualClock {
  /** How long the phone has been up when its world begins: more than a day, as most phones are. */
  public static final long UPTIME_MILLIS = 100_000_000L;

  private static final long MILLI = 1_000_000L;

  private final LooperDeadlines deadlines;

  /**
   * The part of a millisecond that has passed, and the millisecond: Android's clock counts whole.
   */
  private long fractionNanos;

  private long fractionMillis;

  public AndroidClock(LooperDeadlines deadlines) {
    this.deadlines = deadlines;
  }

  /** Rounds up, so that nothing is run before it is due. */
  static long toMillis(long nanos) {
    return nanos == NEVER ? NEVER : nanos / MILLI + (nanos % MILLI == 0 ? 0 : 1);
  }

  @Override
  public long nanos() {
    long millis = SystemClock.uptimeMillis();
    return millis * MILLI + (millis == fractionMillis ? fractionNanos : 0);
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
  public void advanceBy(long nanos) {
    long now = nanos() + nanos;
    fractionMillis = now / MILLI;
    fractionNanos = now % MILLI;
    SystemClock.setCurrentTimeMillis(fractionMillis);
  }

  @Override
  public long epochMillis() {
    return EPOCH_MILLIS - UPTIME_MILLIS;
  }
}
