// Keeps the calls of native methods that nobody plays here, and of parts that this phone lacks. The
// device asks for them after each step, because an app may catch the error: it then goes on without
// what a phone would have done.
package dev.retap.agent.world;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

public final class MissingCalls {
  /** Begins the message of every refused call, so that it is known again inside other messages. */
  public static final String MESSAGE = "this device has no native code for ";

  private static final int MOST = 20;

  private static final Set<String> IN_STEP = new LinkedHashSet<>();
  private static final Set<String> NULLS_IN_STEP = new LinkedHashSet<>();
  private static final Set<String> IN_PROCESS = new LinkedHashSet<>();
  private static final Set<String> LACKING_IN_PROCESS = new LinkedHashSet<>();

  private MissingCalls() {}

  /** The error of a call that nobody plays. Its type is the one that a phone throws. */
  public static final class Refusal extends UnsatisfiedLinkError {
    Refusal(String call) {
      super(MESSAGE + call);
    }
  }

  /** Notes the call, as class.method, and returns the error to throw. */
  public static UnsatisfiedLinkError refuse(String call) {
    note(call);
    return new Refusal(call);
  }

  /** Notes a call that was answered all the same, with zero or null. */
  public static synchronized void note(String call) {
    if (IN_PROCESS.size() < MOST && Scheduler.isAppThread()) {
      IN_PROCESS.add(call);
      IN_STEP.add(call);
    }
  }

  /** Notes a call of a service, as class.method, that nobody plays and that answered null. */
  public static synchronized void noteNull(String call) {
    if (NULLS_IN_STEP.size() < MOST && Scheduler.isAppThread()) {
      NULLS_IN_STEP.add(call);
    }
  }

  /** Notes a call, as class.method, of a part that ordinary phones have and this one lacks. */
  public static synchronized void noteLack(String call) {
    if (LACKING_IN_PROCESS.size() < MOST && Scheduler.isAppThread()) {
      LACKING_IN_PROCESS.add(call);
    }
  }

  /** Returns the calls of this process to parts that this phone lacks. */
  public static synchronized List<String> lackingInProcess() {
    return new ArrayList<>(LACKING_IN_PROCESS);
  }

  /** Returns the calls of services in this step that answered null because nobody plays them. */
  public static synchronized List<String> nullsInStep() {
    return new ArrayList<>(NULLS_IN_STEP);
  }

  /** Returns the calls of this step, in order, and forgets them. */
  public static synchronized List<String> drainStep() {
    List<String> calls = new ArrayList<>(IN_STEP);
    IN_STEP.clear();
    NULLS_IN_STEP.clear();
    return calls;
  }

  /** Returns the calls of the app's process so far. */
  public static synchronized List<String> inProcess() {
    return new ArrayList<>(IN_PROCESS);
  }

  /** Begins a new process of the app. */
  public static synchronized void forget() {
    IN_STEP.clear();
    NULLS_IN_STEP.clear();
    IN_PROCESS.clear();
    LACKING_IN_PROCESS.clear();
  }
}
