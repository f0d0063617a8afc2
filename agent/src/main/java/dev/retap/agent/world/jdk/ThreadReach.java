// What the app's code can do to threads: to its own what a phone lets it do, to those of the host
// nothing. It does not see the host's threads either.
package dev.retap.agent.world.jdk;

import dev.retap.agent.world.Scheduler;
import java.util.LinkedHashMap;
import java.util.Map;

public final class ThreadReach {
  private ThreadReach() {}

  /** Refuses what a phone refuses for every thread: to stop, suspend or resume it. */
  public static void refuse() {
    if (Scheduler.isAppThread()) {
      throw new UnsupportedOperationException();
    }
  }

  public static Map<Thread, StackTraceElement[]> getAllStackTraces() {
    Map<Thread, StackTraceElement[]> stacks = new LinkedHashMap<>();
    for (Thread thread : Scheduler.ownThreads()) {
      stacks.put(thread, thread.getStackTrace());
    }
    return stacks;
  }

  public static int enumerate(Thread[] to) {
    return enumerate(Thread.currentThread().getThreadGroup(), to, true);
  }

  public static int enumerate(ThreadGroup group, Thread[] to) {
    return enumerate(group, to, true);
  }

  public static int enumerate(ThreadGroup group, Thread[] to, boolean recurse) {
    int count = 0;
    for (Thread thread : Scheduler.ownThreads()) {
      ThreadGroup own = thread.getThreadGroup();
      if (count < to.length && (own == group || recurse && own != null && group.parentOf(own))) {
        to[count++] = thread;
      }
    }
    return count;
  }

  public static int activeCount() {
    return activeCount(Thread.currentThread().getThreadGroup());
  }

  public static int activeCount(ThreadGroup group) {
    return enumerate(group, new Thread[Scheduler.ownThreads().size()], true);
  }
}
