// How a step ended, if not at rest: the first crash on any thread, an exit, or no response.
package dev.retap.agent.device;

import dev.retap.agent.wire.Observation.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;

final class Endings {
  /** Thrown in place of ending the process, to unwind the thread that asked for it. */
  static final class Exit extends Error {
    private final String code;

    Exit(String code) {
      super("exit " + code, null, false, false);
      this.code = code;
    }
  }

  private Outcome outcome = Outcome.RUNNING;
  private String detail = "";
  private String thread = "";

  synchronized void clear() {
    outcome = Outcome.RUNNING;
    detail = "";
    thread = "";
  }

  /** What reached the top of the main thread. */
  void ended(Thread where, Throwable cause) {
    if (cause instanceof Rest.NotResponding) {
      record(Outcome.NOT_RESPONDING, stack(cause), "main");
    } else {
      crashed(where, cause);
    }
  }

  /** What reached the top of any thread. */
  void crashed(Thread where, Throwable cause) {
    if (cause instanceof Exit exit) {
      record(Outcome.EXITED, exit.code, "");
    } else if (!(cause instanceof ThreadDeath) && !(cause instanceof Stop)) {
      record(Outcome.CRASHED, stack(cause), name(where));
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

  private synchronized void record(Outcome outcome, String detail, String thread) {
    if (this.outcome == Outcome.RUNNING) {
      this.outcome = outcome;
      this.detail = detail;
      this.thread = thread;
    }
  }

  private static String name(Thread thread) {
    return thread == android.os.Looper.getMainLooper().getThread() ? "main" : thread.getName();
  }

  private static String stack(Throwable cause) {
    StringWriter text = new StringWriter();
    cause.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }
}
