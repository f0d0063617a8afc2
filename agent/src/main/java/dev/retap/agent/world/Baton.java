// The baton's state and its passing on: who holds it, who could, and the draw among those. All under
// one lock. Loaded by the boot loader, because the JDK's own classes get here.
package dev.retap.agent.world;

import dev.retap.agent.world.Turn.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public final class Baton {
  static final Object LOCK = new Object();

  /** A main thread that waits longer than this without a timeout of its own waits for ever. */
  private static final long LONGEST_WAIT_NANOS = 120_000_000_000L;

  private static final int MOST_REFUSALS = 1_000;

  /** Loops of the app's code in one turn: a fraction of a second on a phone. */
  static final int TURN_LOOPS = 50_000_000;

  static final Map<Thread, Turn> TURNS = new ConcurrentHashMap<>();
  static Timeline timeline;
  static Turn main;
  static Turn current;
  static boolean ending;
  static volatile boolean stuck;
  static long handovers;

  /** How many loops are left of this turn. Only the holder counts, so it needs no lock. */
  static int loops;

  /** How many threads are adrift. */
  static volatile int adrift;
  private static long mainBlockedAt;

  private Baton() {}

  /** When the first blocked thread's time comes. */
  public static long nextDeadline() {
    synchronized (LOCK) {
      long next = Turn.NEVER;
      for (Turn turn : TURNS.values()) {
        if (turn.state == State.BLOCKED && !turn.dying) {
          next = Math.min(next, turn.deadline);
        }
      }
      return next;
    }
  }

  /** Lets those run whose time has come. */
  public static void timePassed() {
    synchronized (LOCK) {
      long now = timeline.nanos();
      for (Turn turn : TURNS.values()) {
        if (turn.state == State.BLOCKED && turn.deadline <= now) {
          turn.ready();
        }
      }
    }
  }

  static void comeBack(Turn turn) {
    synchronized (LOCK) {
      turn.granted = false;
      turn.ready();
      adrift--;
      if (current == null) {
        handOver();
      }
    }
    awaitGrant(turn);
  }

  static boolean anyReady() {
    for (Turn turn : TURNS.values()) {
      if (turn != current && turn.state == State.READY && !turn.dying) {
        return true;
      }
    }
    return false;
  }

  static void handOver() {
    handovers++;
    if (main == null) {
      current = null;
      return;
    }
    Turn next = choose();
    current = next;
    if (next == null) {
      stuck = true;
    } else {
      next.state = State.RUNNING;
      wake(next);
    }
  }

  private static Turn choose() {
    if (ending && main.state != State.ADRIFT) {
      return main;
    }
    boolean mainBlocked = main.state == State.BLOCKED;
    mainBlockedAt = mainBlocked ? mainBlockedAt : timeline.nanos();
    while (true) {
      List<Turn> ready = new ArrayList<>();
      for (Turn turn : TURNS.values()) {
        if (turn.state == State.READY && !turn.dying) {
          ready.add(turn);
        }
      }
      if (!ready.isEmpty()) {
        return draw(ready);
      }
      if (main.state == State.IDLE) {
        return main;
      }
      long next = Math.min(nextDeadline(), timeline.nextDue());
      if (next == Turn.NEVER
          || main.deadline == Turn.NEVER && next > mainBlockedAt + LONGEST_WAIT_NANOS) {
        return null;
      }
      timeline.advanceTo(next);
      timePassed();
    }
  }

  static Turn draw(List<Turn> turns) {
    turns.sort(Comparator.comparingInt(turn -> turn.number));
    return turns.get(turns.size() == 1 ? 0 : Chance.order(turns.size()));
  }

  static void wake(Turn turn) {
    turn.granted = true;
    Object monitor = turn.monitor == null ? turn : turn.monitor;
    turn.monitor = null;
    if (monitor == turn || Thread.holdsLock(monitor)) {
      synchronized (monitor) {
        monitor.notifyAll();
      }
    } else {
      // Its monitor may be taken for a while, and the scheduler's lock must not be held that long.
      Waker.wake(monitor);
    }
  }

  static void awaitGrant(Turn turn) {
    boolean interrupted = false;
    synchronized (turn) {
      while (!turn.granted) {
        try {
          turn.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    granted(turn, interrupted);
  }

  static void granted(Turn turn, boolean interrupted) {
    turn.granted = false;
    loops = TURN_LOOPS;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (turn.dying || ending && turn == main) {
      refuse(turn);
    }
  }

  static void refuse(Turn turn) {
    while (++turn.refusals > MOST_REFUSALS && turn.dying) {
      synchronized (turn) {
        try {
          turn.wait();
        } catch (InterruptedException e) {
          // Asleep for good all the same.
        }
      }
    }
    throw new ProcessEnded();
  }
}
