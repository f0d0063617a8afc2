// The virtual clock as the scheduler needs it. The phone implements it on top of Android's clock.
package dev.retap.agent.world;

public interface VirtualClock {
  /** The time of day at which every world begins: the first of January 2024. */
  long EPOCH_MILLIS = 1_704_067_200_000L;

  long NEVER = Long.MAX_VALUE;

  /** Returns the virtual nanoseconds since the phone was started. */
  long nanos();

  /** Returns the time at which the next message of a looper other than the main one is due. */
  long nextDue();

  /** Returns the time at which the main looper's next message is due. */
  long nextOnMain();

  /** Moves the clock forward to the given virtual time. */
  void advanceTo(long nanos);

  /** Lets a little time pass while a thread runs. */
  void advanceBy(long nanos);

  /** Returns the time of day at nanosecond 0. */
  long epochMillis();
}
