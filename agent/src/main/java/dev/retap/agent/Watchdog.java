// Runs a step on the app's main thread and gives up on one that never ends: after a bounded amount
// of the thread's own processor time, or when it has been stuck without using any.
package dev.retap.agent;

import dev.retap.agent.wire.Observation;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

final class Watchdog {
  private static final long MOST_PROCESSOR_NANOS = 10_000_000_000L;
  private static final int POLL_MILLIS = 100;

  /** Polls in a row without progress after which a blocked thread is taken to stay so. */
  private static final int MOST_STUCK_POLLS = 100;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Host host;
  private volatile Thread main;

  Watchdog(Host host) {
    this.host = host;
  }

  Observation run(Callable<Observation> step) throws Exception {
    FutureTask<Observation> task =
        new FutureTask<>(
            () ->
                host.onMain(
                    () -> {
                      main = Thread.currentThread();
                      return step.call();
                    }));
    Thread runner = new Thread(task, "retap step");
    runner.setDaemon(true);
    runner.start();
    long start = -1;
    long last = -1;
    int stuck = 0;
    while (true) {
      try {
        return task.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        throw e.getCause() instanceof Exception cause ? cause : e;
      } catch (TimeoutException e) {
        if (main == null) {
          continue;
        }
        long used = THREADS.getThreadCpuTime(main.getId());
        start = start < 0 ? used : start;
        stuck = used == last ? stuck + 1 : 0;
        last = used;
        if (used - start > MOST_PROCESSOR_NANOS || stuck > MOST_STUCK_POLLS) {
          return notResponding();
        }
      }
    }
  }

  private Observation notResponding() {
    StringBuilder stack = new StringBuilder("main thread:\n");
    for (StackTraceElement frame : main.getStackTrace()) {
      stack.append("\tat ").append(frame).append('\n');
    }
    return new Observation(
        Observation.Outcome.NOT_RESPONDING, stack.toString(), "main", 0, new byte[0], List.of(),
        List.of());
  }
}
