// Watches the turns of a step. It takes the baton from a thread that has stopped without giving it
// up (it waits for a monitor, or in a native call), and says when the main thread will never end.
// It looks on a thread of its own: one that finds the scheduler's lock taken for good must not make
// the watchdog wait too. A look is expensive, so a thread that seems to run is looked at seldom.
package dev.retap.agent.host;

import com.sun.management.OperatingSystemMXBean;
import dev.retap.agent.world.Baton;
import dev.retap.agent.world.BatonInspector;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

final class TurnInspector {
  /** A main thread that uses more processor time than this in one turn never ends. */
  private static final long MOST_MAIN_NANOS = 10_000_000_000L;

  /**
   * The same limit for the whole process: a thread that has filled the heap gets little time of its
   * own beside the garbage collector.
   */
  private static final long MOST_PROCESS_NANOS = 40_000_000_000L;

  /** A background thread that computes longer than this without blocking loses the baton. */
  private static final long MOST_OTHER_NANOS = 5_000_000_000L;

  /** The number of polls in a row without progress after which a thread counts as stuck. */
  private static final int MOST_IDLE_POLLS = 2_000;

  /** The same number for a thread that waits for the disk. */
  private static final int MOST_DISK_POLLS = 20_000;

  /** The same number for a look at the scheduler that finds its lock taken. */
  private static final int MOST_BLOCKED_POLLS = 1_000;

  /** The polls from one look at a thread that makes progress to the next: at first, and at most. */
  private static final int FIRST_PAUSE = 4;

  private static final int LONGEST_PAUSE = 32;

  /** The owner of that lock is looked up at each of so many polls. */
  private static final int OWNER_POLLS = 100;

  /**
   * Classes in whose native methods a thread waits for another machine, which never answers here.
   */
  private static final Set<String> NETWORK_WAITS = Set.of("sun.nio.ch.EPoll", "sun.nio.ch.Net");

  /** Classes in whose native methods a thread waits for the disk. */
  private static final Set<String> DISK_WAITS =
      Set.of(
          "java.io.FileDescriptor",
          "java.io.FileOutputStream",
          "java.io.RandomAccessFile",
          "java.io.UnixFileSystem",
          "sun.nio.ch.FileDispatcherImpl",
          "sun.nio.fs.UnixNativeDispatcher");

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final int pollMillis;
  private final ExecutorService looks =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "retap turn inspector");
            thread.setDaemon(true);
            own = thread;
            return thread;
          });
  private volatile Thread own;

  /** The look that has not ended yet, or null. */
  private Future<Boolean> look;

  private boolean isNewStep;
  private boolean hasLooked;
  private int blockedPolls;

  /** The polls since the last look, and those from it to the next. */
  private int polls;

  private int pause;

  // The rest belongs to the inspector's own thread.
  private Thread watchedThread;
  private long handovers;
  private long startNanos;
  private long processStartNanos;
  private long lastNanos;
  private volatile int idlePolls;

  TurnInspector(int pollMillis) {
    this.pollMillis = pollMillis;
  }

  /** Forgets the turns of the last step. */
  void beginStep() {
    look = null;
    isNewStep = true;
    hasLooked = false;
    polls = 0;
    pause = FIRST_PAUSE;
  }

  /** Returns true if the last poll was a look. */
  boolean hasLooked() {
    return hasLooked;
  }

  /**
   * Takes a look if one is due, for one poll at most. Returns true if the main thread will never
   * end.
   */
  boolean isHopeless(Thread main) throws ExecutionException {
    polls++;
    hasLooked = look != null || polls >= pause || !BatonInspector.seemsToRun(main);
    if (!hasLooked) {
      return false;
    }
    if (look == null) {
      boolean forgets = isNewStep;
      int passed = polls;
      look = looks.submit(() -> inspect(main, forgets, passed));
      isNewStep = false;
      polls = 0;
      blockedPolls = 0;
    }
    try {
      boolean hopeless = look.get(pollMillis, TimeUnit.MILLISECONDS);
      look = null;
      pause = idlePolls > 0 ? 1 : Math.min(LONGEST_PAUSE, pause * 2);
      return hopeless;
    } catch (TimeoutException e) {
      blockedPolls = isBlocked() ? blockedPolls + 1 : 0;
      return blockedPolls > MOST_BLOCKED_POLLS;
    } catch (InterruptedException e) {
      // Nothing interrupts the watchdog for a reason; it looks again.
      return false;
    }
  }

  /**
   * Returns true if the inspector waits for a monitor whose owner waits too. Whoever has the
   * scheduler's lock may compute for long on a busy machine; but if it waits for a monitor that a
   * thread of the app keeps, neither goes on.
   */
  private boolean isBlocked() {
    if (own.getState() != Thread.State.BLOCKED || blockedPolls % OWNER_POLLS != OWNER_POLLS - 1) {
      return own.getState() == Thread.State.BLOCKED;
    }
    ThreadInfo waiting = THREADS.getThreadInfo(own.getId());
    long owner = waiting == null ? -1 : waiting.getLockOwnerId();
    ThreadInfo holding = owner < 0 ? null : THREADS.getThreadInfo(owner);
    return holding != null && holding.getThreadState() != Thread.State.RUNNABLE;
  }

  /**
   * Returns true if the main thread will never end.
   *
   * @param polls the polls since the last look
   */
  private boolean inspect(Thread main, boolean forgets, int polls) {
    long turn = BatonInspector.handovers();
    Thread holder = BatonInspector.holder();
    Thread running = holder == null ? main : holder;
    long used = THREADS.getThreadCpuTime(running.getId());
    if (forgets || running != watchedThread || turn != handovers) {
      watchedThread = running;
      handovers = turn;
      startNanos = used;
      processStartNanos = PROCESS.getProcessCpuTime();
      lastNanos = used;
      idlePolls = 0;
      return false;
    }
    idlePolls = used == lastNanos ? idlePolls + polls : 0;
    lastNanos = used;
    if (idlePolls > MOST_IDLE_POLLS && waitsForMachine(running, idlePolls)) {
      return false;
    }
    boolean contending = idlePolls > 0 && BatonInspector.isBlockedForGood(running);
    if (running == main) {
      if (contending) {
        Baton.takeFrom(running, turn, true);
      }
      return used - startNanos > MOST_MAIN_NANOS
          || idlePolls > MOST_IDLE_POLLS
          || PROCESS.getProcessCpuTime() - processStartNanos > MOST_PROCESS_NANOS;
    }
    if (used - startNanos > MOST_OTHER_NANOS
        || idlePolls > MOST_IDLE_POLLS
        || contending
        || idlePolls > 0 && waitsForNetwork(running)) {
      Baton.takeFrom(running, turn, contending);
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
   * Returns true if the thread could go on but the machine is busy: in Java code it gets no
   * processor time, or it waits for the disk.
   */
  private static boolean waitsForMachine(Thread thread, int idlePolls) {
    StackTraceElement[] stack = thread.getStackTrace();
    return thread.getState() == Thread.State.RUNNABLE
        && stack.length > 0
        && (!stack[0].isNativeMethod()
            || idlePolls <= MOST_DISK_POLLS && DISK_WAITS.contains(stack[0].getClassName()));
  }
}
