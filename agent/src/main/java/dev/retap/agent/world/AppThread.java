// A thread of the app as the scheduler sees it. Baton.LOCK guards all fields; the thread itself
// also reads `granted` while it waits natively.
package dev.retap.agent.world;

final class AppThread {
  enum State {
    /** Holds the baton. */
    RUNNING,
    /** Can run. */
    READY,
    /** Sleeps, is parked or waits on a monitor. */
    BLOCKED,
    /** The main thread between two messages: it runs when no other thread can. */
    IDLE,
    /** Lost the baton without giving it up: it spins, or is stuck in a native call or a monitor. */
    DETACHED
  }

  final Thread thread;

  /** The position of this thread in the order in which the world's threads started. */
  final int number;

  State state = State.READY;

  /** True from the moment the baton is passed to this thread until the thread notices. */
  volatile boolean granted;

  /** True until the thread has executed its first line. */
  volatile boolean awaitsFirstTurn = true;

  /** True once the thread has had a turn. */
  boolean hasRun;

  /** The virtual time in nanoseconds at which a block ends by itself. */
  long deadline = VirtualClock.NEVER;

  /** The monitor whose notification ends the block, or null. */
  Object monitor;

  /** True if the thread is blocked in park, so that an unpark ends the block. */
  boolean parked;

  /** LockSupport's permit. */
  boolean permit;

  /** True if an interrupt ended the block. */
  boolean interrupted;

  /**
   * True if the thread is detached because a thread without the baton owns the monitor it wants.
   */
  boolean contending;

  /** True once its process has ended: the next call into the scheduler unwinds the thread. */
  volatile boolean dying;

  /**
   * Calls made while dying. A thread that catches everything is put to sleep for good in the end.
   */
  int refusals;

  /** Readings of the clock since the thread last waited for something, or time passed by itself. */
  int readings;

  /** True while the thread does the host's own work, which the scheduler does not control. */
  boolean inHost;

  AppThread(Thread thread, int number) {
    this.thread = thread;
    this.number = number;
  }

  void block(long deadline, Object monitor, boolean parked) {
    state = State.BLOCKED;
    this.deadline = deadline;
    this.monitor = monitor;
    this.parked = parked;
    readings = 0;
  }

  void makeReady() {
    state = State.READY;
    deadline = VirtualClock.NEVER;
    parked = false;
  }
}
