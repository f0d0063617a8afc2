// The virtual clock as the scheduler needs it; the phone behind it knows Android's.
package dev.retap.agent.world;

public interface Timeline {
  long NEVER = Long.MAX_VALUE;

  long nanos();

  /** When the next message of a looper other than the main one falls due, in nanoseconds. */
  long nextDue();

  void advanceTo(long nanos);

  /** Time of day at nanosecond 0. */
  long epochMillis();
}
