// The JDK's ways to block, sleep, wake and tell the time, for threads of the app in virtual time;
// for any other thread the JDK's own.
package dev.retap.agent.world;

public final class Blocking {
  private static final long MILLI = 1_000_000L;

  private Blocking() {}

  // ---- time

  public static long currentTimeMillis() {
    return Chance.mine()
        ? Turns.epochMillis() + Turns.nanos() / MILLI
        : System.currentTimeMillis();
  }

  /** The framework's time of day, the world's also while it serves the host. */
  public static long worldTimeMillis() {
    Timeline timeline = Baton.timeline;
    return timeline == null
        ? Timeline.EPOCH_MILLIS
        : timeline.epochMillis() + timeline.nanos() / MILLI;
  }

  public static long nanoTime() {
    return Chance.mine() ? Turns.nanos() : System.nanoTime();
  }

  /** Nanoseconds since the given epoch second, as java.time asks for them; -1: ask the JVM. */
  public static long sinceEpochSecond(long second) {
    return Chance.mine()
        ? (Turns.epochMillis() - second * 1000) * MILLI + Turns.nanos()
        : -1;
  }

  // ---- sleeping and monitors

  public static void sleep(long millis) throws InterruptedException {
    sleep(millis, 0);
  }

  public static void sleep(long millis, int nanos) throws InterruptedException {
    Turn self = Turns.self();
    if (self == null) {
      Thread.sleep(millis, nanos);
      return;
    }
    if (millis < 0) {
      throw new IllegalArgumentException("timeout value is negative");
    }
    interruptible(self);
    Turns.block(self, after(millis, nanos), false);
    interruptible(self);
  }

  public static void await(Object monitor) throws InterruptedException {
    await(monitor, 0, 0);
  }

  public static void await(Object monitor, long millis) throws InterruptedException {
    await(monitor, millis, 0);
  }

  public static void await(Object monitor, long millis, int nanos) throws InterruptedException {
    Turn self = Turns.self();
    if (self == null || !Thread.holdsLock(monitor)) {
      monitor.wait(millis, nanos);
      return;
    }
    if (millis < 0) {
      throw new IllegalArgumentException("timeout value is negative");
    }
    interruptible(self);
    boolean forEver = millis == 0 && nanos == 0;
    Turns.blockOn(self, monitor, forEver ? Turn.NEVER : after(millis, nanos));
    interruptible(self);
  }

  public static void notifyOne(Object monitor) {
    if (!Thread.holdsLock(monitor) || !Turns.notify(monitor, false)) {
      monitor.notify();
    }
  }

  public static void notifyEvery(Object monitor) {
    if (!Thread.holdsLock(monitor) || !Turns.notify(monitor, true)) {
      monitor.notifyAll();
    }
  }

  // ---- parking; each says whether it has done the work

  public static boolean park() {
    return parkUntilNanos(Turn.NEVER);
  }

  public static boolean parkNanos(long nanos) {
    return Turns.self() != null && (nanos <= 0 || parkUntilNanos(after(0, nanos)));
  }

  public static boolean parkUntil(long millis) {
    if (Turns.self() == null) {
      return false;
    }
    return parkUntilNanos((millis - Turns.epochMillis()) * MILLI);
  }

  private static boolean parkUntilNanos(long deadline) {
    Turn self = Turns.self();
    if (self == null) {
      return false;
    }
    if (self.permit) {
      self.permit = false;
    } else if (!Thread.currentThread().isInterrupted() && deadline > Turns.nanos()) {
      Turns.block(self, deadline, true);
      self.permit = false;
      if (self.interrupted) {
        self.interrupted = false;
        Thread.currentThread().interrupt();
      }
    }
    return true;
  }

  public static boolean unpark(Thread thread) {
    return thread != null && Turns.unpark(thread);
  }

  // ---- threads

  public static boolean interrupt(Thread thread) {
    return thread != Thread.currentThread() && Turns.interrupt(thread);
  }

  public static void yieldTurn() {
    Turn self = Turns.self();
    if (self == null) {
      Thread.yield();
    } else {
      Turns.yield(self);
    }
  }

  public static void starting(Thread thread) {
    Turns.starting(thread);
  }

  public static void arrive() {
    Turns.arrive();
  }

  /** After a monitor was taken: a thread that had to wait for it goes on when its turn comes. */
  public static void entered() {
    if (Baton.adrift > 0) {
      Turns.self();
    }
  }

  /** Before each jump back in the app's code. */
  public static void looped() {
    if (--Baton.loops < 0) {
      Turns.spent();
    }
  }

  public static void ended(Thread thread) {
    Turns.ended(thread);
  }

  public static boolean isAlive(Thread thread) {
    return Turns.alive(thread);
  }

  /** The same phone on every machine. */
  public static int availableProcessors(Runtime runtime) {
    return Chance.mine() ? 4 : runtime.availableProcessors();
  }

  private static void interruptible(Turn self) throws InterruptedException {
    boolean interrupted = self.interrupted;
    self.interrupted = false;
    if (Thread.interrupted() || interrupted) {
      throw new InterruptedException();
    }
  }

  private static long after(long millis, long nanos) {
    long now = Turns.nanos();
    return millis > (Long.MAX_VALUE - now) / MILLI - 1 || nanos > Long.MAX_VALUE - now - millis * MILLI
        ? Turn.NEVER
        : now + millis * MILLI + nanos;
  }
}
