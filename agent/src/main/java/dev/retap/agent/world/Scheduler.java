// The scheduler of the app's threads. Only the thread that holds the baton runs; the time during
// which it holds it is its turn. A thread gives the baton up when it blocks, and the world seed
// decides which of the threads that can run gets it next. Virtual time moves only when no thread
// can run. Rewritten code calls these methods by way of Blocking.
package dev.retap.agent.world;

import dev.retap.agent.world.AppThread.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

public final class Scheduler {
  /** The virtual time that all loops of a turn take: longer than a phone takes to be at rest. */
  static final long TURN_NANOS = 300_000_000L;

  /** A main thread that computes through more turns than this in one step never ends. */
  private static final int MOST_MAIN_TURNS = 40;

  /** The JDK's own threads, which wait for the garbage collector in code that is not rewritten. */
  private static final String CLEANER = "jdk.internal.misc.InnocuousThread";

  /** The number of threads that this world has started. */
  static int startedThreads;

  /** The turns that the main thread has computed through in this step. */
  static int mainTurns;

  /** The time that the main thread has waited in loops of its own in this step. */
  static long mainSpunNanos;

  private Scheduler() {}

  /** Returns true if the caller runs on a thread of the app, and not in the host's own work. */
  public static boolean isAppThread() {
    AppThread thread = Baton.THREADS.get(Thread.currentThread());
    return thread != null && !thread.inHost;
  }

  /**
   * Returns the current thread if the scheduler controls it, else null. Unwinds a thread whose
   * process has ended, and makes a detached thread wait for the baton.
   */
  static AppThread current() {
    AppThread self = Baton.THREADS.get(Thread.currentThread());
    if (self == null || self.inHost) {
      return null;
    }
    if (self.dying || Baton.ending && self == Baton.main) {
      Baton.refuse(self);
    }
    if (self.state == State.DETACHED) {
      Baton.reattach(self);
    }
    return self;
  }

  /**
   * Makes the current thread act for the host until {@link #leaveHost}. Returns its mode so far.
   */
  static boolean enterHost() {
    AppThread self = Baton.THREADS.get(Thread.currentThread());
    if (self == null) {
      return false;
    }
    boolean wasInHost = self.inHost;
    self.inHost = true;
    return wasInHost;
  }

  /** Restores the mode that {@link #enterHost} returned. */
  static void leaveHost(boolean wasInHost) {
    AppThread self = Baton.THREADS.get(Thread.currentThread());
    if (self != null) {
      self.inHost = wasInHost;
    }
  }

  /** Gives the baton up until another thread makes this one ready or the deadline comes. */
  static void block(AppThread self, long deadline, boolean parked) {
    ReturningThreads.await();
    synchronized (Baton.LOCK) {
      boolean wasDetached = self.state == State.DETACHED;
      self.block(deadline, null, parked);
      Baton.leaveTurn(self, wasDetached);
    }
    Baton.awaitGrant(self);
  }

  /**
   * Gives the baton up as Object.wait does: the caller holds the monitor on entry and on return.
   */
  static void blockOn(AppThread self, Object monitor, long deadline) {
    ReturningThreads.await();
    synchronized (Baton.LOCK) {
      boolean wasDetached = self.state == State.DETACHED;
      self.block(deadline, monitor, false);
      Baton.leaveTurn(self, wasDetached);
    }
    boolean interrupted = false;
    while (!self.granted) {
      try {
        monitor.wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (self.state == State.DETACHED) {
      // It lost the baton while it waited to get the monitor back.
      Baton.reattach(self);
    }
    Baton.beginTurn(self, interrupted);
  }

  /** Gives the baton up but stays ready. */
  static void yield(AppThread self) {
    ReturningThreads.await();
    synchronized (Baton.LOCK) {
      boolean wasDetached = self.state == State.DETACHED;
      if (!wasDetached && !Baton.canOthersRun()) {
        return;
      }
      self.makeReady();
      Baton.leaveTurn(self, wasDetached);
    }
    Baton.awaitGrant(self);
  }

  /**
   * Ends a turn whose loops are used up: a background thread sleeps, the main thread is counted.
   */
  static void endTurn() {
    AppThread self = current();
    if (self == null || self != Baton.main) {
      if (self != null) {
        block(self, nanos() + TURN_NANOS, false);
      }
    } else if (++mainTurns > MOST_MAIN_TURNS) {
      Baton.stuck = true;
      Baton.awaitGrant(self);
    }
    Baton.loopsLeft = Baton.TURN_LOOPS;
  }

  /**
   * Makes a thread sleep that waits in a loop of its own. A main thread that does so for too long
   * never ends.
   */
  static void spin(AppThread self, long nanos) {
    if (self == Baton.main && (mainSpunNanos += nanos) > Baton.LONGEST_WAIT_NANOS) {
      Baton.stuck = true;
      Baton.awaitGrant(self);
    }
    block(self, nanos() + nanos, false);
  }

  /** Returns false if the scheduler does not control the thread. */
  static boolean unpark(Thread thread) {
    AppThread target = Baton.THREADS.get(thread);
    if (target == null || target.inHost) {
      return false;
    }
    synchronized (Baton.LOCK) {
      if (target.state == State.BLOCKED && target.parked) {
        target.makeReady();
      } else {
        target.permit = true;
      }
    }
    return true;
  }

  /** Wakes one or all threads of the app that wait on the monitor. Returns false if none does. */
  static boolean notify(Object monitor, boolean all) {
    synchronized (Baton.LOCK) {
      List<AppThread> waiting = new ArrayList<>();
      for (AppThread thread : Baton.THREADS.values()) {
        if (thread.state == State.BLOCKED && thread.monitor == monitor && !thread.dying) {
          waiting.add(thread);
        }
      }
      if (waiting.isEmpty()) {
        return false;
      }
      if (all) {
        waiting.forEach(AppThread::makeReady);
      } else {
        Baton.draw(waiting).makeReady();
      }
      return true;
    }
  }

  /** Returns false if the scheduler does not control the thread or the thread is not blocked. */
  static boolean interrupt(Thread thread) {
    AppThread target = Baton.THREADS.get(thread);
    if (target == null || target.inHost) {
      return false;
    }
    synchronized (Baton.LOCK) {
      if (target.state != State.BLOCKED) {
        return false;
      }
      target.interrupted = true;
      target.makeReady();
      return true;
    }
  }

  /** Returns true if the app's code asks for a thread of the host, which it must not disturb. */
  static boolean isOutOfReach(Thread thread) {
    return isAppThread() && !Baton.THREADS.containsKey(thread);
  }

  /** Returns the app's threads in the order in which they started. */
  public static List<Thread> ownThreads() {
    List<AppThread> threads = new ArrayList<>(Baton.THREADS.values());
    threads.removeIf(thread -> thread.dying);
    threads.sort(Comparator.comparingInt(thread -> thread.number));
    List<Thread> own = new ArrayList<>();
    threads.forEach(thread -> own.add(thread.thread));
    return own;
  }

  /** Registers a thread that a thread of the app starts. */
  static void register(Thread thread) {
    AppThread self = current();
    if (self != null && !thread.getClass().getName().equals(CLEANER)) {
      synchronized (Baton.LOCK) {
        IdentityHashes.assign(thread);
        Decisions.noteStart(thread);
        Baton.THREADS.put(thread, new AppThread(thread, startedThreads++));
      }
    }
  }

  /** Makes a new thread wait for its first turn. */
  static void awaitFirstTurn() {
    AppThread self = Baton.THREADS.get(Thread.currentThread());
    if (self != null && self.awaitsFirstTurn) {
      self.awaitsFirstTurn = false;
      Baton.awaitGrant(self);
      WorldRandom.seedThread();
    }
  }

  /** Removes a thread that has ended, and wakes the threads that join it. */
  static void remove(Thread thread) {
    AppThread ended = Baton.THREADS.remove(thread);
    if (ended == null) {
      return;
    }
    ReturningThreads.await();
    synchronized (Baton.LOCK) {
      if (ended.state == State.DETACHED && !ended.dying) {
        Baton.detached--;
      }
      for (AppThread other : Baton.THREADS.values()) {
        if (other.state == State.BLOCKED && other.monitor == thread) {
          other.makeReady();
        }
      }
      if (ended == Baton.holder) {
        Baton.handOver();
      }
    }
  }

  /**
   * Returns true if the thread is alive; for the app, a thread that has left the scheduler is not.
   */
  static boolean isAlive(Thread thread) {
    return isAppThread() ? thread.isAlive() && Baton.THREADS.containsKey(thread) : thread.isAlive();
  }

  static long nanos() {
    return Baton.clock.nanos();
  }

  static long epochMillis() {
    return Baton.clock.epochMillis();
  }
}
