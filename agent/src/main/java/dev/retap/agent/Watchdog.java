// Runs a step on the app's main thread and watches it: the baton is taken from a thread that has stopped
// without giving it up (a taken monitor, a native call), and a main thread that never ends is given
// up. Loops of the app's own code are counted (world/Turns.java) and end the same in every run; what
// else never ends is bounded by processor time.
package dev.retap.agent;

import com.sun.management.OperatingSystemMXBean;
import dev.retap.agent.wire.Observation;
import dev.retap.agent.wire.Phone;
import dev.retap.agent.world.Watch;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

final class Watchdog {
  private static final long MOST_MAIN_NANOS = 10_000_000_000L;

  /**
   * The same with all that the process does meanwhile: a thread that has filled the heap gets little
   * time of its own beside the collector.
   */
  private static final long MOST_PROCESS_NANOS = 40_000_000_000L;

  /** A background thread that computes for longer without blocking loses the baton. */
  private static final long MOST_OTHER_NANOS = 5_000_000_000L;

  private static final int POLL_MILLIS = 3;

  /** Polls in a row without any progress after which a thread is taken to be stuck. */
  private static final int MOST_IDLE_POLLS = 2_000;

  /** Where a thread waits for another machine, which on this phone never comes. */
  private static final Set<String> WAITING = Set.of("sun.nio.ch.EPoll", "sun.nio.ch.Net");

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final Host host;
  private final Phone phone;
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
  private long processStartNanos;
  private long lastNanos;
  private int idlePolls;

  Watchdog(Host host, Phone phone) {
    this.host = host;
    this.phone = phone;
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
      processStartNanos = PROCESS.getProcessCpuTime();
      lastNanos = used;
      idlePolls = 0;
      return false;
    }
    idlePolls = used == lastNanos ? idlePolls + 1 : 0;
    lastNanos = used;
    if (idlePolls > MOST_IDLE_POLLS && starves(running)) {
      idlePolls = 0;
    }
    boolean contending = idlePolls > 0 && Watch.blockedForGood(running);
    if (running == main) {
      if (contending) {
        Watch.setAdrift(running, true);
      }
      return used - startNanos > MOST_MAIN_NANOS
          || idlePolls > MOST_IDLE_POLLS
          || PROCESS.getProcessCpuTime() - processStartNanos > MOST_PROCESS_NANOS;
    }
    if (used - startNanos > MOST_OTHER_NANOS
        || idlePolls > MOST_IDLE_POLLS
        || contending
        || idlePolls > 0 && waitsOutside(running)) {
      Watch.setAdrift(running, contending);
    }
    return false;
  }

  /** The JVM calls a thread that waits in accept() or read() runnable. */
  private static boolean waitsOutside(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    return stack.length > 0
        && stack[0].isNativeMethod()
        && WAITING.contains(stack[0].getClassName());
  }

  /** A thread that could go on in Java code but uses no time gets none: the machine is busy. */
  private static boolean starves(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    return thread.getState() == Thread.State.RUNNABLE
        && stack.length > 0
        && !stack[0].isNativeMethod();
  }

  private Observation notResponding() {
    StringBuilder stack = new StringBuilder("main thread:\n");
    for (String frame : phone.frames(main.getStackTrace())) {
      stack.append("\tat ").append(frame).append('\n');
    }
    return new Observation(
        Observation.Outcome.NOT_RESPONDING, stack.toString(), "main", 0, new byte[0], List.of(),
        List.of());
  }
}
