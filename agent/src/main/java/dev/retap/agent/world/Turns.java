// The app's threads take turns: only the one that holds the baton runs. A thread gives it up when it
// blocks; who gets it next is drawn from the world seed among those that can run. Virtual time moves
// only when nobody can.
package dev.retap.agent.world;

import dev.retap.agent.world.Turn.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

public final class Turns {
  private static final long DEATH_MILLIS = 100;

  /** How long computing through all loops of a turn takes a phone: longer than it takes to be at rest. */
  private static final long TURN_NANOS = 300_000_000L;

  /** A main thread that computes through more turns than this, in one step, never ends. */
  private static final int MOST_MAIN_TURNS = 40;

  private static int started;
  private static int mainTurns;

  private Turns() {}

  // ---- a world's life, called by the phone on the app's main thread

  public static void begin(long seed, Timeline clock) {
    synchronized (Baton.LOCK) {
      Chance.begin(seed);
      Baton.timeline = clock;
      started = 0;
      Baton.ending = false;
      Baton.stuck = false;
      Baton.adrift = 0;
      Baton.loops = Baton.TURN_LOOPS;
      mainTurns = 0;
      Baton.main = new Turn(Thread.currentThread(), started++);
      Baton.main.arriving = false;
      Baton.main.state = State.RUNNING;
      Baton.current = Baton.main;
      Baton.TURNS.put(Baton.main.thread, Baton.main);
    }
    Serials.restart();
    Chance.seedThread();
  }

  /** Unwinds every other thread of the world, one after the other. */
  public static void end() {
    List<Turn> others = new ArrayList<>();
    synchronized (Baton.LOCK) {
      Baton.TURNS.remove(Thread.currentThread());
      Baton.main = null;
      // Whoever still computes is asked who it is at its next loop.
      Baton.loops = 0;
      Baton.timeline = null;
      for (Turn turn : Baton.TURNS.values()) {
        turn.dying = true;
        if (turn.refusals == 0) {
          others.add(turn);
        }
      }
    }
    others.sort(Comparator.comparingInt(turn -> turn.number));
    for (Turn turn : others) {
      synchronized (Baton.LOCK) {
        Baton.wake(turn);
      }
      try {
        turn.thread.join(DEATH_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    Chance.end();
  }

  /** Between steps the main thread serves the host, where nothing is subject to turns. */
  public static void setInHost(boolean inHost) {
    synchronized (Baton.LOCK) {
      if (Baton.main != null) {
        Baton.main.inHost = inHost;
        if (!inHost) {
          Chance.step();
        }
      }
      Baton.loops = Baton.TURN_LOOPS;
      mainTurns = 0;
    }
  }

  /** No thread but the main one runs on, and that one unwinds. */
  public static void endProcess() {
    synchronized (Baton.LOCK) {
      Baton.ending = true;
      for (Turn turn : Baton.TURNS.values()) {
        turn.dying |= turn != Baton.main;
      }
    }
  }

  /** Unwinds the current thread. */
  public static void unwind() {
    throw new ProcessEnded();
  }

  /** The main thread lets others run: until all are blocked or, if it could go on itself, by lot. */
  public static void rest(boolean couldRun) {
    Adrift.settle();
    synchronized (Baton.LOCK) {
      if (!Baton.anyReady()) {
        return;
      }
      Baton.main.state = couldRun ? State.READY : State.IDLE;
      Baton.handOver();
    }
    Baton.awaitGrant(Baton.main);
  }

  public static boolean othersReady() {
    Adrift.settle();
    synchronized (Baton.LOCK) {
      return Baton.anyReady();
    }
  }

  // ---- what blocks and wakes, called from rewritten code

  /** The JDK's own threads wait for the garbage collector, in code that knows no turns. */
  private static final String CLEANER = "jdk.internal.misc.InnocuousThread";

  static Turn self() {
    Turn turn = Baton.TURNS.get(Thread.currentThread());
    if (turn == null || turn.inHost) {
      return null;
    }
    if (turn.dying || Baton.ending && turn == Baton.main) {
      Baton.refuse(turn);
    }
    if (turn.state == State.ADRIFT) {
      Baton.comeBack(turn);
    }
    return turn;
  }

  /** Gives the baton up until somebody readies this thread or the deadline comes. */
  static void block(Turn self, long deadline, boolean parked) {
    Adrift.settle();
    synchronized (Baton.LOCK) {
      self.block(deadline, null, parked);
      Baton.handOver();
    }
    Baton.awaitGrant(self);
  }

  /** As Object.wait, with the monitor held on entry and on return. */
  static void blockOn(Turn self, Object monitor, long deadline) {
    Adrift.settle();
    synchronized (Baton.LOCK) {
      self.block(deadline, monitor, false);
      Baton.handOver();
    }
    boolean interrupted = false;
    while (!self.granted) {
      try {
        monitor.wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    Baton.granted(self, interrupted);
  }

  static void yield(Turn self) {
    Adrift.settle();
    synchronized (Baton.LOCK) {
      if (!Baton.anyReady()) {
        return;
      }
      self.ready();
      Baton.handOver();
    }
    Baton.awaitGrant(self);
  }

  /** All loops of the turn are done. A background thread has used up time; the main thread is counted. */
  static void spent() {
    Turn self = self();
    if (self == null || self != Baton.main) {
      if (self != null) {
        block(self, nanos() + TURN_NANOS, false);
      }
    } else if (++mainTurns > MOST_MAIN_TURNS) {
      Baton.stuck = true;
      Baton.awaitGrant(self);
    }
    Baton.loops = Baton.TURN_LOOPS;
  }

  static boolean unpark(Thread thread) {
    Turn turn = Baton.TURNS.get(thread);
    if (turn == null || turn.inHost) {
      return false;
    }
    synchronized (Baton.LOCK) {
      if (turn.state == State.BLOCKED && turn.parked) {
        turn.ready();
      } else {
        turn.permit = true;
      }
    }
    return true;
  }

  /** Says whether a thread of the app waited for it. */
  static boolean notify(Object monitor, boolean all) {
    synchronized (Baton.LOCK) {
      List<Turn> waiting = new ArrayList<>();
      for (Turn turn : Baton.TURNS.values()) {
        if (turn.state == State.BLOCKED && turn.monitor == monitor && !turn.dying) {
          waiting.add(turn);
        }
      }
      if (waiting.isEmpty()) {
        return false;
      }
      if (all) {
        waiting.forEach(Turn::ready);
      } else {
        Baton.draw(waiting).ready();
      }
      return true;
    }
  }

  static boolean interrupt(Thread thread) {
    Turn turn = Baton.TURNS.get(thread);
    if (turn == null || turn.inHost) {
      return false;
    }
    synchronized (Baton.LOCK) {
      if (turn.state != State.BLOCKED) {
        return false;
      }
      turn.interrupted = true;
      turn.ready();
      return true;
    }
  }

  static void starting(Thread thread) {
    Turn self = self();
    if (self != null && !thread.getClass().getName().equals(CLEANER)) {
      synchronized (Baton.LOCK) {
        Identity.assign(thread);
        Baton.TURNS.put(thread, new Turn(thread, started++));
      }
    }
  }

  /** The first line of a thread: it runs when its turn has come. */
  static void arrive() {
    Turn turn = Baton.TURNS.get(Thread.currentThread());
    if (turn != null && turn.arriving) {
      turn.arriving = false;
      Baton.awaitGrant(turn);
      Chance.seedThread();
    }
  }

  static void ended(Thread thread) {
    Turn turn = Baton.TURNS.remove(thread);
    if (turn == null) {
      return;
    }
    Adrift.settle();
    synchronized (Baton.LOCK) {
      if (turn.state == State.ADRIFT && !turn.dying) {
        Baton.adrift--;
      }
      for (Turn other : Baton.TURNS.values()) {
        if (other.state == State.BLOCKED && other.monitor == thread) {
          other.ready();
        }
      }
      if (turn == Baton.current) {
        Baton.handOver();
      }
    }
  }

  static boolean alive(Thread thread) {
    Turn self = Baton.TURNS.get(Thread.currentThread());
    return self == null || self.inHost
        ? thread.isAlive()
        : thread.isAlive() && Baton.TURNS.containsKey(thread);
  }

  static long nanos() {
    return Baton.timeline.nanos();
  }

  static long epochMillis() {
    return Baton.timeline.epochMillis();
  }
}
