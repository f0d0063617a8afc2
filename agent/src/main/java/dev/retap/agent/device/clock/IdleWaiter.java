// Runs the app until it is at rest: the main looper is idle, no thread of the app can run, and
// nothing is due within the quiet period. Time is virtual and moves only when nothing else can.
package dev.retap.agent.device.clock;

import android.os.Looper;
import android.os.Message;
import android.os.SystemClock;
import dev.retap.agent.device.outcome.StepEnding;
import dev.retap.agent.shadow.graphics.ViewRootImplShadow;
import dev.retap.agent.shadow.surface.SurfaceFrames;
import dev.retap.agent.world.Baton;
import dev.retap.agent.world.VirtualClock;
import dev.retap.agent.world.World;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.robolectric.Shadows;

public final class IdleWaiter {
  private static final int QUIET_MILLIS = 250;
  private static final int LONGEST_WAIT_MILLIS = 2_000;

  /**
   * Messages run without time passing before the app counts as never idle. Such an app still
   * answers to events.
   */
  private static final int MAX_MESSAGES = 5_000;

  private final LooperDeadlines deadlines;
  private final StepEnding ending;
  private BooleanSupplier system = () -> false;

  /** Runs a message in the process that it belongs to; null while all belong to the main one. */
  private BiConsumer<Message, Runnable> processes;

  private long lastTime;
  private int messages;
  private boolean hurries;

  public IdleWaiter(LooperDeadlines deadlines, StepEnding ending) {
    this.deadlines = deadlines;
    this.ending = ending;
  }

  /**
   * Sets what the system does whenever the app has nothing to do right now, such as moving the
   * focus. It returns false if it did nothing.
   */
  public void setSystem(BooleanSupplier system) {
    this.system = system;
  }

  /** Sets who runs the task of a message in the process that it belongs to. */
  public void setProcesses(BiConsumer<Message, Runnable> processes) {
    this.processes = processes;
  }

  /**
   * Lets nothing of the app run by itself until the haste is closed: what waits for the app or lets
   * time pass returns at once.
   */
  public Haste hurry() {
    hurries = true;
    return new Haste();
  }

  /** A time in which events do not wait for the app. */
  public final class Haste implements AutoCloseable {
    /**
     * Lets time pass for the main thread alone, as if other threads and the hardware took longer,
     * and so does the system unless it may ask.
     */
    public void passOnMain(long millis, boolean mayAsk) {
      long end = SystemClock.uptimeMillis() + millis;
      ViewRootImplShadow.allowFrames(end);
      SurfaceFrames.allowFrames(end);
      messages = 0;
      while (true) {
        ending.throwIfEnded();
        long next = deadlines.nextOnMain();
        boolean waits =
            next > end || deadlines.isHardwareNext() || !mayAsk && deadlines.isSystemNext();
        if (waits || messages++ >= MAX_MESSAGES) {
          break;
        }
        if (next > SystemClock.uptimeMillis()) {
          SystemClock.setCurrentTimeMillis(next);
        }
        Shadows.shadowOf(Looper.getMainLooper()).runOneTask();
      }
      if (SystemClock.uptimeMillis() < end) {
        SystemClock.setCurrentTimeMillis(end);
      }
    }

    /** Lets other threads catch up before the hardware does: it is slower than any of them. */
    public void catchUp() {
      while (deadlines.isHardwareNext() && World.canOthersRun()) {
        World.runOthers(false);
        ending.throwIfEnded();
      }
    }

    @Override
    public void close() {
      hurries = false;
    }
  }

  /** Runs the app until it is at rest. */
  public void settle() {
    advance(0);
  }

  /** Lets at least the given time pass, then runs the app until it is at rest. */
  public void advance(long atLeastMillis) {
    if (hurries) {
      return;
    }
    long earliestEnd = SystemClock.uptimeMillis() + atLeastMillis;
    long latestEnd = earliestEnd + LONGEST_WAIT_MILLIS;
    ViewRootImplShadow.allowFrames(earliestEnd);
    SurfaceFrames.allowFrames(earliestEnd);
    lastTime = -1;
    while (true) {
      if (runOne()) {
        continue;
      }
      long now = SystemClock.uptimeMillis();
      long next = nextDeadline();
      if (next <= Math.max(earliestEnd, Math.min(latestEnd, now + QUIET_MILLIS))) {
        moveTo(next);
      } else if (now < earliestEnd) {
        moveTo(earliestEnd);
      } else {
        return;
      }
    }
  }

  /** Returns true if anything is due at this time or before. */
  public boolean isDueBy(long millis) {
    return nextDeadline() <= millis;
  }

  /** Moves the clock to what is due next and runs the app until it is at rest again. */
  public void skipToNext() {
    moveTo(nextDeadline());
    settle();
  }

  /** Lets exactly this much time pass and runs what falls due, as within a gesture. */
  public void pass(long millis) {
    if (hurries) {
      return;
    }
    long end = SystemClock.uptimeMillis() + millis;
    ViewRootImplShadow.allowFrames(end);
    SurfaceFrames.allowFrames(end);
    lastTime = -1;
    while (true) {
      if (runOne()) {
        continue;
      }
      long next = nextDeadline();
      if (next > end) {
        moveTo(end);
        return;
      }
      moveTo(next);
    }
  }

  /**
   * Runs the app until a condition holds. Returns false if none does by the given time, or if
   * nothing can happen any more that would change it.
   *
   * @param isOver is asked before each message
   * @param isEnough is asked when nothing can run before time passes
   */
  public boolean runUntil(BooleanSupplier isOver, BooleanSupplier isEnough, long latestMillis) {
    ViewRootImplShadow.allowFrames(latestMillis);
    SurfaceFrames.allowFrames(latestMillis);
    lastTime = -1;
    while (!isOver.getAsBoolean()) {
      if (runOne()) {
        continue;
      }
      if (isEnough.getAsBoolean()) {
        return true;
      }
      long next = nextDeadline();
      if (next > latestMillis) {
        return isOver.getAsBoolean();
      }
      moveTo(next);
    }
    return true;
  }

  /** Runs one message, or other threads until they block; returns false if there was nothing. */
  private boolean runOne() {
    ending.throwIfEnded();
    long now = SystemClock.uptimeMillis();
    if (now != lastTime) {
      lastTime = now;
      messages = 0;
      // A frame moves the clock too.
      Baton.wakeDueThreads();
    }
    boolean due = messages < MAX_MESSAGES && deadlines.nextOnMain() <= now;
    if (World.canOthersRun()) {
      World.runOthers(due);
      ending.throwIfEnded();
      if (!due) {
        return true;
      }
    }
    if (due) {
      messages++;
      if (processes != null) {
        processes.accept(
            deadlines.firstOnMain(), Shadows.shadowOf(Looper.getMainLooper())::runOneTask);
      } else {
        Shadows.shadowOf(Looper.getMainLooper()).runOneTask();
      }
      return true;
    }
    // Each turn of the system counts as a message, so that the two cannot keep each other busy.
    return messages++ < MAX_MESSAGES && system.getAsBoolean();
  }

  private void moveTo(long millis) {
    SystemClock.setCurrentTimeMillis(millis);
    Baton.wakeDueThreads();
  }

  /** Returns the next deadline after now: overdue messages belong to an app that is never idle. */
  private long nextDeadline() {
    long now = SystemClock.uptimeMillis();
    long next = Math.min(deadlines.nextInBackground(), AndroidClock.toMillis(Baton.nextDeadline()));
    long onMain = deadlines.nextOnMain();
    next = onMain <= now ? next : Math.min(next, onMain);
    return next <= now ? VirtualClock.NEVER : next;
  }
}
