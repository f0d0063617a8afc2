// Runs a step on the app's main thread and gives it up if it never ends. The scheduler counts the
// loops of the app's own code, so they end the same way in every run; processor time bounds
// everything else that never ends.
package dev.retap.agent.host;

import com.sun.management.OperatingSystemMXBean;
import dev.retap.agent.wire.Observation;
import dev.retap.agent.wire.Phone;
import dev.retap.agent.world.BatonInspector;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

public final class Watchdog {
  /**
   * A step that takes more of the process's time than this never ends, whoever takes it. Each turn
   * of a thread has its own, smaller limit.
   */
  private static final long MOST_STEP_NANOS = 300_000_000_000L;

  private static final int POLL_MILLIS = 3;

  private static final long NANOS_A_MILLI = 1_000_000;

  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final Host host;
  private final Phone phone;
  private final TurnInspector inspector = new TurnInspector(POLL_MILLIS);
  private final ExecutorService steps =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "retap step");
            thread.setDaemon(true);
            return thread;
          });
  private volatile Thread main;

  public Watchdog(Host host, Phone phone) {
    this.host = host;
    this.phone = phone;
  }

  /** Runs the step. A main thread that never ends gives the outcome "not responding". */
  public Observation run(Callable<Observation> step) throws Exception {
    main = null;
    inspector.beginStep();
    long stepStartNanos = PROCESS.getProcessCpuTime();
    Thread waiting = Thread.currentThread();
    FutureTask<Observation> running =
        new FutureTask<>(() -> host.onMain(() -> runOnMain(step))) {
          @Override
          protected void done() {
            LockSupport.unpark(waiting);
          }
        };
    steps.execute(running);
    while (!isDoneWithinPoll(running)) {
      if (BatonInspector.isStuck()
          || main != null && inspector.isHopeless(main)
          || inspector.hasLooked()
              && PROCESS.getProcessCpuTime() - stepStartNanos > MOST_STEP_NANOS) {
        return notResponding();
      }
    }
    try {
      return running.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private Observation runOnMain(Callable<Observation> step) throws Exception {
    main = Thread.currentThread();
    return step.call();
  }

  /** Waits for the step, for one poll at most. An exception for each poll would be expensive. */
  private static boolean isDoneWithinPoll(FutureTask<?> running) {
    long until = System.nanoTime() + POLL_MILLIS * NANOS_A_MILLI;
    long left = POLL_MILLIS * NANOS_A_MILLI;
    while (!running.isDone() && left > 0) {
      LockSupport.parkNanos(left);
      // Nothing interrupts this thread for a reason, and an interrupt would end every wait.
      Thread.interrupted();
      left = until - System.nanoTime();
    }
    return running.isDone();
  }

  private Observation notResponding() {
    StringBuilder stack = new StringBuilder("main thread:\n");
    List<String> frames =
        main == null ? List.of() : StableStack.take(() -> phone.frames(main.getStackTrace()));
    for (String frame : frames) {
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
