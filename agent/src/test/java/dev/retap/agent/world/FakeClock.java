// A virtual clock that remembers each time to which it was moved.
package dev.retap.agent.world;

import java.util.ArrayList;
import java.util.List;

public final class FakeClock implements VirtualClock {
  /** The times to which the scheduler has moved the clock. */
  final List<Long> advances = new ArrayList<>();

  /** The time of the only message of a looper, and its handler. */
  long messageDue = NEVER;

  Runnable message = () -> {};
  private volatile long now;

  @Override
  public long nanos() {
    return now;
  }

  /** Returns the time in milliseconds. */
  public long millis() {
    return now / 1_000_000;
  }

  @Override
  public long nextDue() {
    return messageDue;
  }

  @Override
  public long nextOnMain() {
    return NEVER;
  }

  @Override
  public void advanceTo(long nanos) {
    advances.add(nanos);
    now = nanos;
    if (nanos >= messageDue) {
      messageDue = NEVER;
      message.run();
    }
  }

  @Override
  public void advanceBy(long nanos) {
    now += nanos;
  }

  @Override
  public long epochMillis() {
    return EPOCH_MILLIS;
  }
}
