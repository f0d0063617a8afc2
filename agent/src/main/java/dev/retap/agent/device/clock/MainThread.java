// Runs something on the app's main thread for another thread, which waits for it. It comes past the
// barriers of the main thread's queue, as what the system sends does.
package dev.retap.agent.device.clock;

import android.os.Handler;
import android.os.Looper;
import android.os.Message;
import dev.retap.agent.world.Blocking;

public final class MainThread {
  private MainThread() {}

  /**
   * @param waits whether to return only after the task has run
   */
  public static void run(Runnable task, boolean waits) {
    if (Looper.myLooper() == Looper.getMainLooper()) {
      task.run();
      return;
    }
    Waited waited = new Waited(task);
    Message message = Message.obtain(new Handler(Looper.getMainLooper()), waited);
    message.setAsynchronous(true);
    message.getTarget().sendMessage(message);
    if (waits) {
      waited.await();
    }
  }

  /** Lets the caller wait, unless it is the main thread. */
  public static void pause(long millis) {
    if (Looper.myLooper() != Looper.getMainLooper()) {
      try {
        Blocking.sleep(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static final class Waited implements Runnable {
    private final Runnable task;
    private boolean isDone;

    Waited(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      try {
        task.run();
      } finally {
        synchronized (this) {
          isDone = true;
          Blocking.notifyEvery(this);
        }
      }
    }

    synchronized void await() {
      boolean interrupted = false;
      while (!isDone) {
        try {
          Blocking.await(this);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
