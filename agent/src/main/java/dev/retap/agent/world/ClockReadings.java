// Readings of the clock by the app's own code. Each takes a little virtual time, so that two in a
// row
// differ and a loop that waits for a time ends. A thread that does little else but read the clock
// waits in such a loop: more and more time passes with each reading, and in the end the thread
// sleeps between its readings, so that others can run meanwhile, as on a phone with several
// processors.
package dev.retap.agent.world;

public final class ClockReadings {
  private static final long MICRO = 1_000L;

  /** The readings in a row that code makes which does not wait for a time. */
  private static final int USUAL = 100;

  /** What each further reading in a row takes more than the one before. */
  private static final long GROWTH_NANOS = 2 * MICRO;

  /** A thread whose readings would take longer than this sleeps as long instead. */
  private static final long SHORTEST_SLEEP_NANOS = 1_000 * MICRO;

  /**
   * The sleeps in a row before those of a background thread become longer: enough for a gesture or
   * a short countdown. A thread that reads the clock for ever must not keep the app from its rest.
   */
  private static final int SHORT_SLEEPS = 1_000;

  private ClockReadings() {}

  /** Called before a thread reads the clock. */
  public static void take() {
    if (Baton.ending || !Scheduler.isAppThread()) {
      return;
    }
    AppThread self = Scheduler.current();
    int readings = ++self.readings;
    long cost = readings <= USUAL ? MICRO : (readings - USUAL) * GROWTH_NANOS;
    if (cost < SHORTEST_SLEEP_NANOS) {
      Baton.clock.advanceBy(cost);
    } else {
      sleep(self, readings);
    }
  }

  private static void sleep(AppThread self, int readings) {
    int sleeps = readings - USUAL - (int) (SHORTEST_SLEEP_NANOS / GROWTH_NANOS);
    int doublings = self == Baton.main ? 0 : Math.min(10, Math.max(0, sleeps - SHORT_SLEEPS));
    long nanos = Math.min(Scheduler.TURN_NANOS, SHORTEST_SLEEP_NANOS << doublings);
    Scheduler.spin(self, nanos);
    // A sleep begins a new row of readings, unless it is one of these.
    self.readings = readings;
  }
}
