// Runs a step on the app's main thread and watches it. It takes the baton from a thread that has
// stopped without giving it up (it waits for a monitor, or in a native call), and gives up a main
// thread that never ends. The scheduler counts the loops of the app's own code, so they end the
// same way in every run; processor time bounds everything else that never ends.
package dev.retap.agent.host;

import com.sun.management.OperatingSystemMXBean;
import dev.retap.agent.wire.Observation;
import dev.retap.agent.wire.Phone;
import dev.retap.agent.world.Baton;
import dev.retap.agent.world.BatonInspector;
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

public final class Watchdog {
  /** A main thread that uses more processor time than this in one turn never ends. */
  private static final long MOST_MAIN_NANOS = 10_000_000_000L;

  /**
   * The same limit for the whole process: a thread that has filled the heap gets little time of its
   * own beside the garbage collector.
   */
  private static final long MOST_PROCESS_NANOS = 40_000_000_000L;

  /** A background thread that computes longer than this without blocking loses the baton. */
  private static final long MOST_OTHER_NANOS = 5_000_000_000L;

  /**
   * A step that takes more of the process's time than this never ends, whoever takes it. Each turn
   * of a thread has its own, smaller limit.
   */
  private static final long MOST_STEP_NANOS = 300_000_000_000L;

  private static final int POLL_MILLIS = 3;

  /** The number of polls in a row without progress after which a thread counts as stuck. */
  private static final int MOST_IDLE_POLLS = 2_000;

  /**
   * Classes in whose native methods a thread waits for another machine, which never answers here.
   */
  private static final Set<String> NETWORK_WAITS = Set.of("sun.nio.ch.EPoll", "sun.nio.ch.Net");

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
  private Thread watchedThread;
  private long handovers;
  private long startNanos;
  private long processStartNanos;
  private long lastNanos;
  private int idlePolls;

  public Watchdog(Host host, Phone phone) {
    this.host = host;
    this.phone = phone;
  }

  /** Runs the step. A main thread that never ends gives the outcome "not responding". */
  public Observation run(Callable<Observation> step) throws Exception {
    main = null;
    watchedThread = null;
    long stepStartNanos = PROCESS.getProcessCpuTime();
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
        boolean isLong = PROCESS.getProcessCpuTime() - stepStartNanos > MOST_STEP_NANOS;
        if (isLong || BatonInspector.isStuck() || main != null && isMainHopeless()) {
          return notResponding();
        }
      } catch (InterruptedException e) {
        // Nothing interrupts this thread for a reason; it goes on.
      }
    }
  }

  /** Inspects the holder of the baton. Returns true if the main thread will never end. */
  private boolean isMainHopeless() {
    Thread holder = BatonInspector.holder();
    Thread running = holder == null ? main : holder;
    long used = THREADS.getThreadCpuTime(running.getId());
    if (running != watchedThread || BatonInspector.handovers() != handovers) {
      watchedThread = running;
      handovers = BatonInspector.handovers();
      startNanos = used;
      processStartNanos = PROCESS.getProcessCpuTime();
      lastNanos = used;
      idlePolls = 0;
      return false;
    }
    idlePolls = used == lastNanos ? idlePolls + 1 : 0;
    lastNanos = used;
    if (idlePolls > MOST_IDLE_POLLS && isStarved(running)) {
      idlePolls = 0;
    }
    boolean contending = idlePolls > 0 && BatonInspector.isBlockedForGood(running);
    if (running == main) {
      if (contending) {
        Baton.takeFrom(running, true);
      }
      return used - startNanos > MOST_MAIN_NANOS
          || idlePolls > MOST_IDLE_POLLS
          || PROCESS.getProcessCpuTime() - processStartNanos > MOST_PROCESS_NANOS;
    }
    if (used - startNanos > MOST_OTHER_NANOS
        || idlePolls > MOST_IDLE_POLLS
        || contending
        || idlePolls > 0 && waitsForNetwork(running)) {
      Baton.takeFrom(running, contending);
    }
    return false;
  }

  /** Returns true if the thread waits in accept() or read(), where the JVM calls it runnable. */
  private static boolean waitsForNetwork(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    return stack.length > 0
        && stack[0].isNativeMethod()
        && NETWORK_WAITS.contains(stack[0].getClassName());
  }

  /**
   * Returns true if the thread could go on in Java code but gets no processor time: the machine is
   * busy.
   */
  private static boolean isStarved(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    return thread.getState() == Thread.State.RUNNABLE
        && stack.length > 0
        && !stack[0].isNativeMethod();
  }

  private Observation notResponding() {
    StringBuilder stack = new StringBuilder("main thread:\n");
    StackTraceElement[] frames = main == null ? new StackTraceElement[0] : main.getStackTrace();
    for (String frame : phone.frames(frames)) {
      stack.append("\tat ").append(frame).append('\n');
    }
    return new Observation(
        Observation.Outcome.NOT_RESPONDING,
        stack.toString(),
        "main",
        0,
        new byte[0],
        List.of(),
        List.of(),
        List.of());
  }
}
