// Replacements for the JDK's methods that block, sleep, wake or tell the time. Rewritten code calls
// them. A thread of the app gets virtual time; any other thread gets the JDK's own behaviour.
package dev.retap.agent.world;

public final class Blocking {
  private static final long MILLI = 1_000_000L;

  /** The processors that every phone has, whatever machine it runs on. */
  public static final int PROCESSORS = 4;

  /** The id of the main thread. */
  private static final int FIRST_THREAD_ID = 2;

  private Blocking() {}

  // ---- time

  public static long currentTimeMillis() {
    ClockReadings.take();
    return Scheduler.isAppThread()
        ? Scheduler.epochMillis() + Scheduler.nanos() / MILLI
        : System.currentTimeMillis();
  }

  /** Returns the framework's time of day, which is the world's also while it serves the host. */
  public static long worldTimeMillis() {
    VirtualClock clock = Baton.clock;
    return clock == null ? VirtualClock.EPOCH_MILLIS : clock.epochMillis() + clock.nanos() / MILLI;
  }

  /** Returns the time for the JDK, which reads it whenever a thread waits for something. */
  public static long nanoTime() {
    return Scheduler.isAppThread() ? Scheduler.nanos() : System.nanoTime();
  }

  /** Returns the time for the app's own code. */
  public static long readNanoTime() {
    ClockReadings.take();
    return nanoTime();
  }

  /**
   * Returns the nanoseconds since the given epoch second, for java.time; -1 sends it to the JVM.
   */
  public static long sinceEpochSecond(long second) {
    ClockReadings.take();
    return Scheduler.isAppThread()
        ? (Scheduler.epochMillis() - second * 1000) * MILLI + Scheduler.nanos()
        : -1;
  }

  // ---- sleeping and monitors

  public static void sleep(long millis) throws InterruptedException {
    sleep(millis, 0);
  }

  public static void sleep(long millis, int nanos) throws InterruptedException {
    AppThread self = Scheduler.current();
    if (self == null) {
      Thread.sleep(millis, nanos);
      return;
    }
    if (millis < 0) {
      throw new IllegalArgumentException("timeout value is negative");
    }
    throwIfInterrupted(self);
    Scheduler.block(self, deadlineAfter(millis, nanos), false);
    throwIfInterrupted(self);
  }

  public static void await(Object monitor) throws InterruptedException {
    await(monitor, 0, 0);
  }

  public static void await(Object monitor, long millis) throws InterruptedException {
    await(monitor, millis, 0);
  }

  public static void await(Object monitor, long millis, int nanos) throws InterruptedException {
    AppThread self = Scheduler.current();
    if (self == null || !Thread.holdsLock(monitor)) {
      monitor.wait(millis, nanos);
      return;
    }
    if (millis < 0) {
      throw new IllegalArgumentException("timeout value is negative");
    }
    throwIfInterrupted(self);
    boolean forEver = millis == 0 && nanos == 0;
    Scheduler.blockOn(self, monitor, forEver ? VirtualClock.NEVER : deadlineAfter(millis, nanos));
    throwIfInterrupted(self);
  }

  /** Waits as a looper does for its next message: on a phone no interrupt ends that wait. */
  public static void poll(Object monitor) throws InterruptedException {
    AppThread self = Scheduler.current();
    if (self == null || !Thread.holdsLock(monitor)) {
      monitor.wait();
      return;
    }
    if (self == Baton.main) {
      // A loop of the app's own on the main thread, such as that of a test which waits for the app.
      // The phone's loop does not run meanwhile, so the system acts here and time passes here.
      if (World.actAsSystem()) {
        return;
      }
      Scheduler.blockOn(self, monitor, Baton.clock.nextOnMain());
    } else {
      Scheduler.blockOn(self, monitor, VirtualClock.NEVER);
    }
    keepInterrupt(self);
  }

  public static void notifyOne(Object monitor) {
    if (!Thread.holdsLock(monitor) || !Scheduler.notify(monitor, false)) {
      monitor.notify();
    }
  }

  public static void notifyEvery(Object monitor) {
    if (!Thread.holdsLock(monitor) || !Scheduler.notify(monitor, true)) {
      monitor.notifyAll();
    }
  }

  // ---- parking; each method returns false if the JDK must do the work

  public static boolean park() {
    return parkUntilNanos(VirtualClock.NEVER);
  }

  public static boolean parkNanos(long nanos) {
    return Scheduler.current() != null && (nanos <= 0 || parkUntilNanos(deadlineAfter(0, nanos)));
  }

  public static boolean parkUntil(long millis) {
    if (Scheduler.current() == null) {
      return false;
    }
    return parkUntilNanos((millis - Scheduler.epochMillis()) * MILLI);
  }

  private static boolean parkUntilNanos(long deadline) {
    AppThread self = Scheduler.current();
    if (self == null) {
      return false;
    }
    if (self.permit) {
      self.permit = false;
    } else if (!Thread.currentThread().isInterrupted() && deadline > Scheduler.nanos()) {
      Scheduler.block(self, deadline, true);
      self.permit = false;
      keepInterrupt(self);
    }
    return true;
  }

  public static boolean unpark(Thread thread) {
    return thread != null && Scheduler.unpark(thread);
  }

  // ---- threads

  public static boolean interrupt(Thread thread) {
    return thread != Thread.currentThread()
        && (Scheduler.interrupt(thread) || Scheduler.isOutOfReach(thread));
  }

  public static void yieldTurn() {
    AppThread self = Scheduler.current();
    if (self == null) {
      Thread.yield();
    } else {
      Scheduler.yield(self);
    }
  }

  /** Called before a thread is started. */
  public static void threadStarting(Thread thread) {
    Scheduler.register(thread);
  }

  /** Called by the first line of a thread. */
  public static void awaitFirstTurn() {
    Scheduler.awaitFirstTurn();
  }

  /**
   * Called before a monitor is entered. Threads that wanted a monitor which was left since get it
   * first: otherwise the machine would decide between them and the caller.
   */
  public static void monitorWanted(Object monitor) {
    if (Baton.detached > 0
        && monitor != null
        && Scheduler.isAppThread()
        && !Thread.holdsLock(monitor)) {
      ReturningThreads.await();
    }
  }

  /**
   * Called after a monitor was entered: a thread that was detached meanwhile waits for the baton.
   */
  public static void monitorEntered() {
    if (Baton.detached > 0) {
      Scheduler.current();
    }
  }

  /** Called before each jump back in the app's code. */
  public static void countLoop() {
    if (--Baton.loopsLeft < 0) {
      Scheduler.endTurn();
    }
  }

  /** Called as the last thing a thread does. */
  public static void threadEnded(Thread thread) {
    Scheduler.remove(thread);
  }

  public static boolean isAlive(Thread thread) {
    return Scheduler.isAlive(thread);
  }

  /** Returns the id of a thread; threads of the app are numbered from the main thread on. */
  public static long threadId(Thread thread) {
    AppThread known = Baton.THREADS.get(thread);
    return known == null ? thread.getId() : known.number + FIRST_THREAD_ID;
  }

  public static int availableProcessors(Runtime runtime) {
    return Scheduler.isAppThread() ? PROCESSORS : runtime.availableProcessors();
  }

  private static void throwIfInterrupted(AppThread self) throws InterruptedException {
    boolean interrupted = self.interrupted;
    self.interrupted = false;
    if (Thread.interrupted() || interrupted) {
      throw new InterruptedException();
    }
  }

  /** Keeps an interrupt that ended a block for whoever asks next. */
  private static void keepInterrupt(AppThread self) {
    if (self.interrupted) {
      self.interrupted = false;
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the virtual time after the given delay, or NEVER if it is beyond all times. */
  private static long deadlineAfter(long millis, long nanos) {
    long now = Scheduler.nanos();
    return millis > (Long.MAX_VALUE - now) / MILLI - 1
            || nanos > Long.MAX_VALUE - now - millis * MILLI
        ? VirtualClock.NEVER
        : now + millis * MILLI + nanos;
  }
}
