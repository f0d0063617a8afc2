// Background threads that sleep until a virtual moment. Rest moves the clock to the earliest of
// them as it does for messages, and wakes those whose time has come.
package dev.retap.agent.device;

import android.os.SystemClock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

final class Sleepers {
  private record Sleeper(Thread thread, long until) {}

  private static final List<Sleeper> SLEEPERS = new ArrayList<>();

  private Sleepers() {}

  static void sleep(long until) throws InterruptedException {
    synchronized (SLEEPERS) {
      Sleeper self = new Sleeper(Thread.currentThread(), until);
      SLEEPERS.add(self);
      try {
        while (SLEEPERS.contains(self)) {
          SLEEPERS.wait();
        }
      } finally {
        SLEEPERS.remove(self);
      }
    }
  }

  static long nextDue() {
    synchronized (SLEEPERS) {
      return SLEEPERS.stream()
          .min(Comparator.comparingLong(Sleeper::until))
          .map(Sleeper::until)
          .orElse(Long.MAX_VALUE);
    }
  }

  /** Wakes who is due; says whether there was anybody. */
  static boolean wake() {
    synchronized (SLEEPERS) {
      long now = SystemClock.uptimeMillis();
      boolean any = SLEEPERS.removeIf(sleeper -> sleeper.until <= now);
      if (any) {
        SLEEPERS.notifyAll();
      }
      return any;
    }
  }

  /** Ends the sleeps of a process that is gone. */
  static void clear() {
    synchronized (SLEEPERS) {
      SLEEPERS.forEach(sleeper -> sleeper.thread.interrupt());
      SLEEPERS.clear();
    }
  }
}
