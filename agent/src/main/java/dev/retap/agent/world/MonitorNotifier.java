// Notifies a monitor from a thread of the host, so that the scheduler need not wait for the
// monitor.
package dev.retap.agent.world;

import java.util.ArrayDeque;

final class MonitorNotifier implements Runnable {
  private static final ArrayDeque<Object> MONITORS = new ArrayDeque<>();
  private static int idle;

  /** Queues the monitor, and starts another thread if all that exist are busy. */
  static void notifyLater(Object monitor) {
    synchronized (MONITORS) {
      MONITORS.add(monitor);
      if (idle >= MONITORS.size()) {
        MONITORS.notify();
        return;
      }
    }
    boolean wasInHost = Scheduler.enterHost();
    Thread notifier =
        new Thread(ThreadGroups.host(), new MonitorNotifier(), "retap monitor notifier");
    notifier.setDaemon(true);
    notifier.start();
    Scheduler.leaveHost(wasInHost);
  }

  @Override
  public void run() {
    while (true) {
      Object monitor = next();
      synchronized (monitor) {
        monitor.notifyAll();
      }
    }
  }

  private static Object next() {
    synchronized (MONITORS) {
      idle++;
      while (MONITORS.isEmpty()) {
        try {
          MONITORS.wait();
        } catch (InterruptedException e) {
          // Nothing interrupts this thread for a reason; it goes on.
        }
      }
      idle--;
      return MONITORS.remove();
    }
  }
}
