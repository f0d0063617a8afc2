// The baton: of the app's threads only the one that holds it runs. A thread gives it up when it
// blocks; who gets it next is drawn from the world seed among those that can run. Virtual time moves
// only when nobody can. Loaded by the boot loader, because the JDK's own classes call it.
package dev.retap.agent.world;

import dev.retap.agent.world.Turn.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public final class Turns {
  private static final Object LOCK = new Object();

  /** A main thread that waits longer than this without a timeout of its own waits for ever. */
  private static final long LONGEST_WAIT_NANOS = 120_000_000_000L;

  private static final long DEATH_MILLIS = 100;
  private static final int MOST_REFUSALS = 1_000;

  static final Map<Thread, Turn> TURNS = new ConcurrentHashMap<>();
  private static Timeline timeline;
  private static Turn main;
  private static Turn current;
  private static int started;
  private static boolean ending;
  private static volatile boolean stuck;
  private static long mainBlockedAt;
  private static long handovers;

  private Turns() {}

  // ---- a world's life, called by the phone on the app's main thread

  public static void begin(long seed, Timeline clock) {
    synchronized (LOCK) {
      Chance.begin(seed);
      timeline = clock;
      started = 0;
      ending = false;
      stuck = false;
      main = new Turn(Thread.currentThread(), started++);
      main.arriving = false;
      main.state = State.RUNNING;
      current = main;
      TURNS.put(main.thread, main);
    }
    Serials.restart();
    Chance.seedThread();
  }

  /** Unwinds every other thread of the world, one after the other. */
  public static void end() {
    List<Turn> others = new ArrayList<>();
    synchronized (LOCK) {
      TURNS.remove(Thread.currentThread());
      main = null;
      timeline = null;
      for (Turn turn : TURNS.values()) {
        turn.dying = true;
        if (turn.refusals == 0) {
          others.add(turn);
        }
      }
    }
    others.sort(Comparator.comparingInt(turn -> turn.number));
    for (Turn turn : others) {
      synchronized (LOCK) {
        wake(turn);
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
    synchronized (LOCK) {
      if (main != null) {
        main.inHost = inHost;
      }
    }
  }

  /** No thread but the main one runs on, and that one unwinds. */
  public static void endProcess() {
    synchronized (LOCK) {
      ending = true;
      for (Turn turn : TURNS.values()) {
        turn.dying |= turn != main;
      }
    }
  }

  /** Unwinds the current thread. */
  public static void unwind() {
    throw new ProcessEnded();
  }

  /** The main thread lets others run: until all are blocked or, if it could go on itself, by lot. */
  public static void rest(boolean couldRun) {
    synchronized (LOCK) {
      if (!anyReady()) {
        return;
      }
      main.state = couldRun ? State.READY : State.IDLE;
      handOver();
    }
    awaitGrant(main);
  }

  public static boolean othersReady() {
    synchronized (LOCK) {
      return anyReady();
    }
  }

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

  // ---- what blocks and wakes, called from rewritten code

  static Turn self() {
    Turn turn = TURNS.get(Thread.currentThread());
    if (turn == null || turn.inHost) {
      return null;
    }
    if (turn.dying || ending && turn == main) {
      refuse(turn);
    }
    if (turn.state == State.ADRIFT) {
      comeBack(turn);
    }
    return turn;
  }

  /** Gives the baton up until somebody readies this thread or the deadline comes. */
  static void block(Turn self, long deadline, boolean parked) {
    synchronized (LOCK) {
      self.block(deadline, null, parked);
      handOver();
    }
    awaitGrant(self);
  }

  /** As Object.wait, with the monitor held on entry and on return. */
  static void blockOn(Turn self, Object monitor, long deadline) {
    synchronized (LOCK) {
      self.block(deadline, monitor, false);
      handOver();
    }
    boolean interrupted = false;
    while (!self.granted) {
      try {
        monitor.wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    granted(self, interrupted);
  }

  static void yield(Turn self) {
    synchronized (LOCK) {
      if (!anyReady()) {
        return;
      }
      self.ready();
      handOver();
    }
    awaitGrant(self);
  }

  static boolean unpark(Thread thread) {
    Turn turn = TURNS.get(thread);
    if (turn == null || turn.inHost) {
      return false;
    }
    synchronized (LOCK) {
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
    synchronized (LOCK) {
      List<Turn> waiting = new ArrayList<>();
      for (Turn turn : TURNS.values()) {
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
        draw(waiting).ready();
      }
      return true;
    }
  }

  static boolean interrupt(Thread thread) {
    Turn turn = TURNS.get(thread);
    if (turn == null || turn.inHost) {
      return false;
    }
    synchronized (LOCK) {
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
    if (self != null) {
      synchronized (LOCK) {
        Identity.assign(thread);
        TURNS.put(thread, new Turn(thread, started++));
      }
    }
  }

  /** The first line of a thread: it runs when its turn has come. */
  static void arrive() {
    Turn turn = TURNS.get(Thread.currentThread());
    if (turn != null && turn.arriving) {
      turn.arriving = false;
      awaitGrant(turn);
      Chance.seedThread();
    }
  }

  static void ended(Thread thread) {
    Turn turn = TURNS.remove(thread);
    if (turn == null) {
      return;
    }
    synchronized (LOCK) {
      for (Turn other : TURNS.values()) {
        if (other.state == State.BLOCKED && other.monitor == thread) {
          other.ready();
        }
      }
      if (turn == current) {
        handOver();
      }
    }
  }

  static boolean alive(Thread thread) {
    Turn self = TURNS.get(Thread.currentThread());
    return self == null || self.inHost
        ? thread.isAlive()
        : thread.isAlive() && TURNS.containsKey(thread);
  }

  static long nanos() {
    return timeline.nanos();
  }

  static long epochMillis() {
    return timeline.epochMillis();
  }

  // ---- watching from outside, because a thread may stop without telling

  /** The thread that holds the baton, or null. */
  public static Thread holder() {
    synchronized (LOCK) {
      return current == null ? null : current.thread;
    }
  }

  /** How often the baton has changed hands. */
  public static long handovers() {
    synchronized (LOCK) {
      return handovers;
    }
  }

  /** Nobody can run and no time will change that. */
  public static boolean stuck() {
    return stuck;
  }

  public static Thread mainThread() {
    synchronized (LOCK) {
      return main == null ? null : main.thread;
    }
  }

  /** Whether this thread of the app's neither runs nor is about to leave the given monitor. */
  public static boolean restsHolding(long threadId, int monitorHash) {
    synchronized (LOCK) {
      for (Turn turn : TURNS.values()) {
        if (turn.thread.getId() == threadId) {
          return turn != current
              && (turn.monitor == null || System.identityHashCode(turn.monitor) != monitorHash);
        }
      }
      return false;
    }
  }

  /** Takes the baton from a thread that cannot go on, if it still has it. */
  public static void setAdrift(Thread thread) {
    synchronized (LOCK) {
      if (current != null && current.thread == thread) {
        current.state = State.ADRIFT;
        handOver();
      }
    }
  }

  // ---- choosing

  private static void comeBack(Turn turn) {
    synchronized (LOCK) {
      turn.granted = false;
      turn.ready();
      if (current == null) {
        handOver();
      }
    }
    awaitGrant(turn);
  }

  private static boolean anyReady() {
    for (Turn turn : TURNS.values()) {
      if (turn != current && turn.state == State.READY && !turn.dying) {
        return true;
      }
    }
    return false;
  }

  private static void handOver() {
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

  private static Turn draw(List<Turn> turns) {
    turns.sort(Comparator.comparingInt(turn -> turn.number));
    return turns.get(turns.size() == 1 ? 0 : Chance.order(turns.size()));
  }

  private static void wake(Turn turn) {
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

  private static void awaitGrant(Turn turn) {
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

  private static void granted(Turn turn, boolean interrupted) {
    turn.granted = false;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (turn.dying || ending && turn == main) {
      refuse(turn);
    }
  }

  private static void refuse(Turn turn) {
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
