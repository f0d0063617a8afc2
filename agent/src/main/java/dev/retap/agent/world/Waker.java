// Notifies a monitor from a thread of the host's, so that nobody else has to wait for it.
package dev.retap.agent.world;

import java.util.ArrayDeque;

final class Waker implements Runnable {
  private static final ArrayDeque<Object> MONITORS = new ArrayDeque<>();
  private static int idle;

  static void wake(Object monitor) {
    synchronized (MONITORS) {
      MONITORS.add(monitor);
      if (idle >= MONITORS.size()) {
        MONITORS.notify();
        return;
      }
    }
    Turn self = Baton.TURNS.get(Thread.currentThread());
    boolean before = self != null && self.inHost;
    if (self != null) {
      self.inHost = true;
    }
    Thread waker = new Thread(new Waker(), "retap waker");
    waker.setDaemon(true);
    waker.start();
    if (self != null) {
      self.inHost = before;
    }
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
          // Nobody has a reason to; go on.
        }
      }
      idle--;
      return MONITORS.remove();
    }
  }
}
