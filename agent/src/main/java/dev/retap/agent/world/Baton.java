// The baton: the right to run. At most one thread of the app holds it. This class keeps the
// scheduler's state, draws the next holder and passes the baton on, all under one lock. The boot
// loader loads it, because the JDK's own classes call the scheduler.
package dev.retap.agent.world;

import dev.retap.agent.world.AppThread.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public final class Baton {
  static final Object LOCK = new Object();

  /** A main thread that waits longer than this without a timeout of its own waits for ever. */
  static final long LONGEST_WAIT_NANOS = 120_000_000_000L;

  /** The calls that a dying thread may make before it is put to sleep for good. */
  private static final int MOST_REFUSALS = 1_000;

  /** Loops of the app's code in one turn: a fraction of a second on a phone. */
  static final int TURN_LOOPS = 50_000_000;

  static final Map<Thread, AppThread> THREADS = new ConcurrentHashMap<>();
  static VirtualClock clock;
  static AppThread main;

  /** The thread that holds the baton, or null. */
  static AppThread holder;

  /** True once the process is ending: only the main thread still runs, to unwind. */
  static boolean ending;

  /** True if no thread can run and the passing of time cannot change that. */
  static volatile boolean stuck;

  static long handovers;

  /** Loops left in this turn. Only the holder counts them, so the field needs no lock. */
  static int loopsLeft;

  /** The number of detached threads. */
  static volatile int detached;

  private static long mainBlockedAt;

  private Baton() {}

  /** Returns the virtual time at which the first blocked thread wakes by itself. */
  public static long nextDeadline() {
    synchronized (LOCK) {
      long next = VirtualClock.NEVER;
      for (AppThread thread : THREADS.values()) {
        if (thread.state == State.BLOCKED && !thread.dying) {
          next = Math.min(next, thread.deadline);
        }
      }
      return next;
    }
  }

  /** Makes every thread ready whose deadline has come, after time has passed by itself. */
  public static void wakeDueThreads() {
    synchronized (LOCK) {
      main.readings = 0;
      long now = clock.nanos();
      for (AppThread thread : THREADS.values()) {
        if (thread.state == State.BLOCKED && thread.deadline <= now) {
          thread.makeReady();
        }
      }
    }
  }

  /**
   * Takes the baton from a thread that cannot go on, if it has held it ever since it was looked at.
   *
   * @param turn the number of handovers when the thread was looked at
   * @param contending whether a thread without the baton owns the monitor that it wants
   */
  public static void takeFrom(Thread thread, long turn, boolean contending) {
    synchronized (LOCK) {
      if (holder != null && holder.thread == thread && handovers == turn) {
        holder.state = State.DETACHED;
        holder.contending = contending;
        detached++;
        handOver();
      }
    }
  }

  /** Lets a detached thread queue for the baton again, and waits until it gets it. */
  static void reattach(AppThread thread) {
    synchronized (LOCK) {
      thread.granted = false;
      thread.makeReady();
      detached--;
      if (holder == null) {
        handOver();
      }
    }
    awaitGrant(thread);
  }

  /**
   * Passes the baton on after a thread has left its turn. A thread that lost the baton just before
   * has none to pass. The caller holds the lock.
   */
  static void leaveTurn(AppThread thread, boolean wasDetached) {
    if (wasDetached && !thread.dying) {
      detached--;
    }
    if (holder == null || holder == thread) {
      handOver();
    }
  }

  /** Returns true if a thread other than the holder can run. The caller holds the lock. */
  static boolean canOthersRun() {
    for (AppThread thread : THREADS.values()) {
      if (thread != holder && thread.state == State.READY && !thread.dying) {
        return true;
      }
    }
    return false;
  }

  /** Passes the baton to the next thread. The caller holds the lock. */
  static void handOver() {
    handovers++;
    if (main == null) {
      holder = null;
      return;
    }
    AppThread next = chooseNext();
    holder = next;
    stuck = next == null;
    if (next != null) {
      next.state = State.RUNNING;
      grant(next);
    }
  }

  /**
   * Draws one of the threads that can run, and moves virtual time forward until there is one.
   * Returns null if none ever will.
   */
  private static AppThread chooseNext() {
    if (ending && main.state != State.DETACHED) {
      return main;
    }
    boolean mainBlocked = main.state == State.BLOCKED;
    mainBlockedAt = mainBlocked ? mainBlockedAt : clock.nanos();
    while (true) {
      List<AppThread> ready = new ArrayList<>();
      for (AppThread thread : THREADS.values()) {
        if (thread.state == State.READY && !thread.dying) {
          ready.add(thread);
        }
      }
      if (!ready.isEmpty()) {
        return draw(ready);
      }
      if (main.state == State.IDLE) {
        return main;
      }
      long next = Math.min(nextDeadline(), clock.nextDue());
      if (next == VirtualClock.NEVER
          || main.deadline == VirtualClock.NEVER && next > mainBlockedAt + LONGEST_WAIT_NANOS) {
        return null;
      }
      clock.advanceTo(next);
      wakeDueThreads();
    }
  }

  /**
   * Draws one of the threads from the world seed. Their order of start makes the draw repeatable.
   */
  static AppThread draw(List<AppThread> threads) {
    threads.sort(Comparator.comparingInt(thread -> thread.number));
    if (threads.size() == 1) {
      return threads.get(0);
    }
    AppThread drawn = threads.get(WorldRandom.nextOrder(threads.size()));
    Decisions.noteOrder(threads, drawn);
    return drawn;
  }

  /** Tells a thread that it holds the baton. */
  static void grant(AppThread thread) {
    thread.granted = true;
    Object monitor = thread.monitor == null ? thread : thread.monitor;
    thread.monitor = null;
    if (monitor == thread || Thread.holdsLock(monitor)) {
      synchronized (monitor) {
        monitor.notifyAll();
      }
    } else {
      // Another thread may own the monitor for a while, and the lock must not be held that long.
      MonitorNotifier.notifyLater(monitor);
    }
  }

  /** Waits until the thread, which is the current one, holds the baton. */
  static void awaitGrant(AppThread thread) {
    boolean interrupted = false;
    synchronized (thread) {
      while (!thread.granted) {
        try {
          thread.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    beginTurn(thread, interrupted);
  }

  /**
   * Begins the turn of the current thread, or unwinds it if its process has ended.
   *
   * @param interrupted whether the JVM interrupted the native wait, which the app is to see
   */
  static void beginTurn(AppThread thread, boolean interrupted) {
    thread.granted = false;
    thread.hasRun = true;
    loopsLeft = TURN_LOOPS;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (thread.dying || ending && thread == main) {
      refuse(thread);
    }
  }

  /** Unwinds the current thread, whose process has ended. */
  static void refuse(AppThread thread) {
    while (++thread.refusals > MOST_REFUSALS && thread.dying) {
      synchronized (thread) {
        try {
          thread.wait();
        } catch (InterruptedException e) {
          // It sleeps for good all the same.
        }
      }
    }
    throw new ProcessEnded();
  }
}
