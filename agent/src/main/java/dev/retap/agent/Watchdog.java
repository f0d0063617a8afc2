// Runs a step on the app's main thread and watches it: a main thread that never ends is given up
// after a bounded amount of its own processor time, and the baton is taken from a thread that has
// stopped without giving it up (a taken monitor, a native call, a loop).
package dev.retap.agent;

import dev.retap.agent.wire.Observation;
import dev.retap.agent.world.Watch;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

final class Watchdog {
  private static final long MOST_MAIN_NANOS = 10_000_000_000L;

  /** A background thread that computes for longer without blocking loses the baton. */
  private static final long MOST_OTHER_NANOS = 5_000_000_000L;

  private static final int POLL_MILLIS = 3;

  /**
   * Polls in a row without any progress after which a thread is taken to be stuck, whatever the
   * cause. Long, because on a busy machine a thread may get no time at all for seconds.
   */
  private static final int MOST_IDLE_POLLS = 2_000;

  /** Where a thread waits for another machine or program, which on this phone never comes. */
  private static final String[] WAITING = {"sun.nio.ch.", "java.net.", "java.lang.Process"};

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Host host;
  private final ExecutorService steps =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "retap step");
            thread.setDaemon(true);
            return thread;
          });
  private volatile Thread main;
  private Thread watched;
  private long handovers;
  private long startNanos;
  private long lastNanos;
  private int idlePolls;

  Watchdog(Host host) {
    this.host = host;
  }

  Observation run(Callable<Observation> step) throws Exception {
    main = null;
    watched = null;
    Future<Observation> result =
        steps.submit(
            () ->
                host.onMain(
                    () -> {
                      main = Thread.currentThread();
                      return step.call();
                    }));
    while (true) {
      try {
        return result.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        throw e.getCause() instanceof Exception cause ? cause : e;
      } catch (TimeoutException e) {
        if (Watch.stuck() || main != null && givenUp()) {
          return notResponding();
        }
      }
    }
  }

  /** Looks at the thread that holds the baton; says whether the main thread is beyond hope. */
  private boolean givenUp() {
    Thread holder = Watch.holder();
    Thread running = holder == null ? main : holder;
    long used = THREADS.getThreadCpuTime(running.getId());
    if (running != watched || Watch.handovers() != handovers) {
      watched = running;
      handovers = Watch.handovers();
      startNanos = used;
      lastNanos = used;
      idlePolls = 0;
      return false;
    }
    idlePolls = used == lastNanos ? idlePolls + 1 : 0;
    lastNanos = used;
    if (running == main) {
      if (idlePolls > 0 && blockedForGood(running)) {
        Watch.setAdrift(running);
      }
      return used - startNanos > MOST_MAIN_NANOS || idlePolls > MOST_IDLE_POLLS;
    }
    if (used - startNanos > MOST_OTHER_NANOS
        || idlePolls > MOST_IDLE_POLLS
        || idlePolls > 0 && (blockedForGood(running) || waitsOutside(running))) {
      Watch.setAdrift(running);
    }
    return false;
  }

  /** Whether it waits for a monitor whose owner waits for its turn. */
  private static boolean blockedForGood(Thread thread) {
    ThreadInfo info = THREADS.getThreadInfo(thread.getId());
    return info != null
        && info.getThreadState() == Thread.State.BLOCKED
        && info.getLockInfo() != null
        && Watch.restsHolding(info.getLockOwnerId(), info.getLockInfo().getIdentityHashCode());
  }

  /** The JVM calls a thread that waits in accept() or read() runnable. */
  private static boolean waitsOutside(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    if (stack.length == 0 || !stack[0].isNativeMethod()) {
      return false;
    }
    for (String prefix : WAITING) {
      if (stack[0].getClassName().startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  private Observation notResponding() {
    StringBuilder stack = new StringBuilder("main thread:\n");
    for (StackTraceElement frame : main.getStackTrace()) {
      if (!frame.getClassName().startsWith("dev.retap.agent.world.")) {
        // Without the module and version that a JVM's own text has.
        stack
            .append("\tat ")
            .append(
                new StackTraceElement(
                    frame.getClassName(), frame.getMethodName(), frame.getFileName(),
                    frame.getLineNumber()))
            .append('\n');
      }
    }
    return new Observation(
        Observation.Outcome.NOT_RESPONDING, stack.toString(), "main", 0, new byte[0], List.of(),
        List.of());
  }
}
