// One thread of the app as the scheduler sees it. Guarded by Turns' lock; `granted` alone is also
// read by the thread itself while it waits natively.
package dev.retap.agent.world;

final class Turn {
  enum State {
    /** Holds the baton. */
    RUNNING,
    /** Could run. */
    READY,
    /** Sleeps, is parked or waits on a monitor. */
    BLOCKED,
    /** The main thread between two messages: runs when nobody else can. */
    IDLE,
    /** Lost the baton without giving it up: spins, or is stuck in a native call or a monitor. */
    ADRIFT
  }

  static final long NEVER = Long.MAX_VALUE;

  final Thread thread;
  final int number;
  State state = State.READY;
  volatile boolean granted;

  /** Has not yet reached its first line. */
  volatile boolean arriving = true;

  /** Virtual nanoseconds at which a block ends by itself. */
  long deadline = NEVER;

  /** The monitor whose notification ends the block, if any. */
  Object monitor;

  /** Blocked in park, so that an unpark ends it. */
  boolean parked;

  /** LockSupport's permit. */
  boolean permit;

  /** The block was ended by an interrupt. */
  boolean interrupted;

  /** Adrift because somebody at rest has the monitor that it wants. */
  boolean contending;

  /** Its process has ended: whatever it asks for next unwinds it. */
  volatile boolean dying;

  /** Calls made while dying; a thread that catches everything is at last put to sleep for good. */
  int refusals;

  /** Within the host's own work, which is not subject to turns. */
  boolean inHost;

  Turn(Thread thread, int number) {
    this.thread = thread;
    this.number = number;
  }

  void block(long deadline, Object monitor, boolean parked) {
    state = State.BLOCKED;
    this.deadline = deadline;
    this.monitor = monitor;
    this.parked = parked;
  }

  void ready() {
    state = State.READY;
    deadline = NEVER;
    parked = false;
  }
}
