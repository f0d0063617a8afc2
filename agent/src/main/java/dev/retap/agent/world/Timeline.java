// The virtual clock as the scheduler needs it; the phone behind it knows Android's.
package dev.retap.agent.world;

public interface Timeline {
  /** When every world begins: the first of January 2024. */
  long EPOCH_MILLIS = 1_704_067_200_000L;

  long NEVER = Long.MAX_VALUE;

  long nanos();

  /** When the next message of a looper other than the main one falls due, in nanoseconds. */
  long nextDue();

  void advanceTo(long nanos);

  /** Time of day at nanosecond 0. */
  long epochMillis();
}
