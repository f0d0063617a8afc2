// How a step ended, if not at rest: the first crash on any thread, an exit, or no response.
package dev.retap.agent.device;

import dev.retap.agent.wire.Observation.Limitation;
import dev.retap.agent.wire.Observation.Outcome;
import dev.retap.agent.world.ProcessEnded;
import dev.retap.agent.world.Turns;
import java.util.List;

final class Endings {
  /** The phone's; one process runs one phone. */
  private static Endings current;

  private Outcome outcome = Outcome.RUNNING;
  private String detail = "";
  private String thread = "";
  private List<Limitation> limitations = List.of();

  synchronized void clear() {
    current = this;
    outcome = Outcome.RUNNING;
    detail = "";
    thread = "";
    limitations = List.of();
  }

  /** Ends the app's process in place of this one: nothing of it runs on. */
  static void exit(String code) {
    current.record(Outcome.EXITED, code, "");
    Turns.unwind();
  }

  /** What reached the top of any thread. */
  void crashed(Thread where, Throwable cause) {
    if (cause instanceof ProcessEnded || cause instanceof Stop) {
      return;
    }
    Limitation host = HostLimits.of(cause);
    if (host == null) {
      record(Outcome.CRASHED, StackText.of(cause), name(where));
    } else if (record(Outcome.EXITED, "host limitation", "")) {
      limitations = List.of(host);
    }
  }

  /** Unwinds the main thread once another thread's crash has ended the process. */
  static final class Stop extends RuntimeException {}

  synchronized void check() {
    if (outcome != Outcome.RUNNING) {
      throw new Stop();
    }
  }

  synchronized Outcome outcome() {
    return outcome;
  }

  synchronized String detail() {
    return detail;
  }

  synchronized String thread() {
    return thread;
  }

  /** What the host lacked, if that ended the process. */
  synchronized List<Limitation> limitations() {
    return limitations;
  }

  /** Says whether this was the first ending, which is the one that counts. */
  private synchronized boolean record(Outcome outcome, String detail, String thread) {
    if (this.outcome == Outcome.RUNNING) {
      this.outcome = outcome;
      this.detail = detail;
      this.thread = thread;
      Turns.endProcess();
      return true;
    }
    return false;
  }

  private static String name(Thread thread) {
    return thread == android.os.Looper.getMainLooper().getThread() ? "main" : thread.getName();
  }
}
