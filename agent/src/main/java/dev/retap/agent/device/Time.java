// Android's clock as the scheduler of threads sees it.
package dev.retap.agent.device;

import android.os.SystemClock;
import dev.retap.agent.world.Timeline;

final class Time implements Timeline {
  private static final long MILLI = 1_000_000L;

  private final Loopers loopers;

  Time(Loopers loopers) {
    this.loopers = loopers;
  }

  static long toMillis(long nanos) {
    return nanos == NEVER ? NEVER : nanos / MILLI + (nanos % MILLI == 0 ? 0 : 1);
  }

  @Override
  public long nanos() {
    return SystemClock.uptimeMillis() * MILLI;
  }

  @Override
  public long nextDue() {
    long due = loopers.nextInBackground();
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
