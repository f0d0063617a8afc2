// The ending of a step that did not come to rest: the first crash on any thread, an exit, or a
// host limitation.
package dev.retap.agent.device.outcome;

import dev.retap.agent.wire.Observation.Limitation;
import dev.retap.agent.wire.Observation.Outcome;
import dev.retap.agent.world.MissingCalls;
import dev.retap.agent.world.ProcessEnded;
import dev.retap.agent.world.World;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

public final class StepEnding {
  /** The ending of the phone in this process, which runs only one. */
  private static StepEnding current;

  private final BiFunction<Thread, Throwable, String> throwers;
  private Outcome outcome = Outcome.RUNNING;
  private String detail = "";
  private String thread = "";
  private List<Limitation> limitations = List.of();
  private List<String> doubts = List.of();

  /**
   * @param throwers returns the name of the process whose code threw this on the thread, or null if
   *     it was the app's main one
   */
  public StepEnding(BiFunction<Thread, Throwable, String> throwers) {
    this.throwers = throwers;
  }

  /** Begins a new process of the app: nothing has ended yet. */
  public synchronized void clear() {
    current = this;
    outcome = Outcome.RUNNING;
    detail = "";
    thread = "";
    limitations = List.of();
    doubts = List.of();
    MissingCalls.forget();
  }

  /** Ends the app's process instead of this JVM: no code of the app runs on. */
  public static void exit(String code) {
    current.record(Outcome.EXITED, code, "");
    World.unwind();
  }

  /** Records a throwable that no code on the given thread caught. */
  public void recordUncaught(Thread thread, Throwable cause) {
    if (cause instanceof ProcessEnded || cause instanceof ProcessStopped) {
      return;
    }
    Limitation host = HostLimits.of(cause);
    if (host == null) {
      List<String> found = StandIns.doubts(cause);
      if (record(Outcome.CRASHED, StackText.of(cause), name(thread, cause))) {
        doubts = found;
      }
    } else if (record(Outcome.EXITED, "host limitation", "")) {
      limitations = List.of(host);
    }
  }

  /** Unwinds the main thread after another thread's crash has ended the process. */
  private static final class ProcessStopped extends RuntimeException {}

  /** Throws if the process has ended, so that the main thread stops too. */
  public synchronized void throwIfEnded() {
    if (outcome != Outcome.RUNNING) {
      throw new ProcessStopped();
    }
  }

  public synchronized Outcome outcome() {
    return outcome;
  }

  public synchronized String detail() {
    return detail;
  }

  public synchronized String thread() {
    return thread;
  }

  /**
   * Returns the missing parts of the host that this step met, and forgets them: what ended the
   * process, and calls that nobody plays whose error the app caught.
   */
  public synchronized List<Limitation> drainLimitations() {
    Set<Limitation> found = new LinkedHashSet<>(limitations);
    limitations = List.of();
    MissingCalls.drainStep().forEach(call -> found.add(new Limitation("native method", call)));
    return List.copyOf(found);
  }

  /** Returns why the crash may not be the app's own: the part that stand-ins took in it. */
  public synchronized List<String> doubts() {
    return doubts;
  }

  /** Records the first ending, which is the one that counts; returns false for later ones. */
  private synchronized boolean record(Outcome outcome, String detail, String thread) {
    if (this.outcome == Outcome.RUNNING) {
      this.outcome = outcome;
      this.detail = detail;
      this.thread = thread;
      World.endProcess();
      return true;
    }
    return false;
  }

  /** Returns the name of the thread, with that of its process unless it is the app's main one. */
  private String name(Thread thread, Throwable cause) {
    boolean isMain = thread == android.os.Looper.getMainLooper().getThread();
    String name = isMain ? "main" : thread.getName();
    String process = throwers.apply(thread, cause);
    return process == null ? name : name + " of " + process;
  }
}
