// The life of a world: one process of the app, its threads, its virtual time and its random
// numbers. The phone calls these methods on the app's main thread. The rest of the JVM, that is the
// agent and Robolectric, is called the host; its threads and its time are real.
package dev.retap.agent.world;

import dev.retap.agent.world.AppThread.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;

public final class World {
  /** The real time in which a thread must unwind when its world ends. */
  private static final long UNWIND_MILLIS = 100;

  /** What the system does when the main thread has nothing to do right now. */
  private static BooleanSupplier system = () -> false;

  private World() {}

  /** Sets what the system does while a loop of the app's own runs on the main thread. */
  public static void setSystem(BooleanSupplier system) {
    World.system = system;
  }

  /** Lets the system act; returns false if it did nothing. */
  static boolean actAsSystem() {
    return system.getAsBoolean();
  }

  /** Begins a world whose main thread is the current thread. */
  public static void begin(long seed, VirtualClock clock) {
    synchronized (Baton.LOCK) {
      WorldRandom.begin(seed);
      Baton.clock = clock;
      Scheduler.startedThreads = 0;
      Baton.ending = false;
      Baton.stuck = false;
      Baton.detached = 0;
      Baton.loopsLeft = Baton.TURN_LOOPS;
      Scheduler.mainTurns = 0;
      Scheduler.mainSpunNanos = 0;
      Baton.main = new AppThread(Thread.currentThread(), Scheduler.startedThreads++);
      Baton.main.awaitsFirstTurn = false;
      Baton.main.hasRun = true;
      Baton.main.state = State.RUNNING;
      Baton.holder = Baton.main;
      Baton.THREADS.put(Baton.main.thread, Baton.main);
    }
    ThreadNameCounters.restart();
    References.begin();
  }

  /**
   * Ends the world: unwinds every other thread of it, one after the other. Returns false if a
   * thread did not end.
   */
  public static boolean end() {
    // What the app interrupted ends with it: the host's waits and the next process are not meant.
    Thread.interrupted();
    List<AppThread> others = new ArrayList<>();
    synchronized (Baton.LOCK) {
      Baton.THREADS.remove(Thread.currentThread());
      Baton.main = null;
      Baton.clock = null;
      for (AppThread thread : Baton.THREADS.values()) {
        thread.dying = true;
        if (thread.refusals == 0) {
          others.add(thread);
        }
      }
      // A thread that still computes calls the scheduler at its next loop, where it must find that
      // it is dying: one that did not would wait for the baton of a world that has ended.
      Baton.loopsLeft = 0;
    }
    others.sort(Comparator.comparingInt(thread -> thread.number));
    for (AppThread thread : others) {
      synchronized (Baton.LOCK) {
        Baton.grant(thread);
      }
      try {
        thread.thread.join(UNWIND_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    References.end();
    WorldRandom.end();
    synchronized (Baton.LOCK) {
      return Baton.THREADS.isEmpty();
    }
  }

  /** Runs work of the phone itself on a thread of the app, outside the app's rules. */
  public static <T> T asHost(Callable<T> work) throws Exception {
    boolean wasInHost = Scheduler.enterHost();
    try {
      return work.call();
    } finally {
      Scheduler.leaveHost(wasInHost);
    }
  }

  /**
   * Marks the main thread as serving the host, which it does between steps without the scheduler.
   */
  public static void setInHost(boolean inHost) {
    if (!inHost) {
      References.beginStep();
    }
    synchronized (Baton.LOCK) {
      if (Baton.main != null) {
        Baton.main.inHost = inHost;
        if (!inHost) {
          WorldRandom.beginStep();
        }
      }
      Baton.loopsLeft = Baton.TURN_LOOPS;
      Scheduler.mainTurns = 0;
      Scheduler.mainSpunNanos = 0;
    }
  }

  /** Ends the app's process: from now on only the main thread runs, and it unwinds. */
  public static void endProcess() {
    synchronized (Baton.LOCK) {
      Baton.ending = true;
      for (AppThread thread : Baton.THREADS.values()) {
        thread.dying |= thread != Baton.main;
      }
    }
  }

  /** Ends the threads that have this context class loader: none of their code runs again. */
  public static void endThreads(ClassLoader loader) {
    synchronized (Baton.LOCK) {
      for (AppThread thread : Baton.THREADS.values()) {
        thread.dying |= thread != Baton.main && thread.thread.getContextClassLoader() == loader;
      }
    }
  }

  /** Unwinds the current thread. */
  public static void unwind() {
    throw new ProcessEnded();
  }

  /**
   * Lets other threads run.
   *
   * @param canMainRun whether the main thread takes part in the draw; if not, it goes on when all
   *     other threads are blocked
   */
  public static void runOthers(boolean canMainRun) {
    ReturningThreads.await();
    synchronized (Baton.LOCK) {
      boolean wasDetached = Baton.main.state == State.DETACHED;
      if (!wasDetached && !Baton.canOthersRun()) {
        return;
      }
      Baton.main.state = canMainRun ? State.READY : State.IDLE;
      Baton.leaveTurn(Baton.main, wasDetached);
    }
    Baton.awaitGrant(Baton.main);
  }

  /** Returns true if a thread other than the main one can run. */
  public static boolean canOthersRun() {
    ReturningThreads.await();
    synchronized (Baton.LOCK) {
      return Baton.canOthersRun();
    }
  }
}
