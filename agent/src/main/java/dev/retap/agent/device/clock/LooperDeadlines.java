// The time at which the next message of a looper falls due, read from its queue. It is asked
// before every message, so it avoids the cost of Android's TestLooperManager. It does not enter the
// queue's monitor: the scheduler asks under its own lock, and a thread that owns the monitor may
// want that lock. Only the thread with the baton changes a queue, and the lock orders what it
// wrote.
package dev.retap.agent.device.clock;

import android.os.Looper;
import android.os.Message;
import android.os.MessageQueue;
import android.os.SystemClock;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.world.VirtualClock;
import java.lang.reflect.Field;
import java.util.List;
import org.robolectric.shadows.ShadowLooper;

public final class LooperDeadlines {
  /** The handler through which the system asks an app to pause, to stop, to launch an activity. */
  private static final String SYSTEM_REQUESTS = "android.app.ActivityThread$H";

  /** Where the stand-ins for hardware are. */
  private static final List<String> HARDWARE =
      List.of(
          "dev.retap.agent.shadow.camera.",
          "dev.retap.agent.shadow.media.",
          "dev.retap.agent.shadow.sensor.");

  private final Field first = FrameworkFields.find(MessageQueue.class, "mMessages");
  private final Field next = FrameworkFields.find(Message.class, "next");

  long nextOnMain() {
    return next(Looper.getMainLooper().getQueue());
  }

  /** Returns the message that the main thread runs next, or null if there is none. */
  Message firstOnMain() {
    return first(Looper.getMainLooper().getQueue());
  }

  /** Returns true if what the main thread would do next is a request of the system. */
  boolean isSystemNext() {
    Message message = first(Looper.getMainLooper().getQueue());
    return message != null && message.getTarget().getClass().getName().equals(SYSTEM_REQUESTS);
  }

  /** Returns true if what the main thread would do next comes from a stand-in for hardware. */
  boolean isHardwareNext() {
    Message message = firstOnMain();
    Runnable callback = message == null ? null : message.getCallback();
    return callback != null
        && HARDWARE.stream().anyMatch(callback.getClass().getName()::startsWith);
  }

  /** Says what the main thread would do next: the handler of a message, and what it is asked. */
  public String describeNext() {
    Message message = first(Looper.getMainLooper().getQueue());
    if (message == null || message.getTarget() == null) {
      return "";
    }
    Runnable callback = message.getCallback();
    String handler = message.getTarget().getClass().getName();
    return callback == null
        ? message.what + " of " + handler
        : callback.getClass().getName() + " of " + handler;
  }

  /**
   * Returns the next time at which a looper of another thread has something to do. What is overdue
   * waits for a thread that is blocked elsewhere, and no time changes that.
   */
  long nextInBackground() {
    long now = SystemClock.uptimeMillis();
    long due = VirtualClock.NEVER;
    for (Looper looper : ShadowLooper.getAllLoopers()) {
      if (looper != Looper.getMainLooper() && looper.getThread().isAlive()) {
        long next = next(looper.getQueue());
        due = next > now ? Math.min(due, next) : due;
      }
    }
    return due;
  }

  private long next(MessageQueue queue) {
    Message message = first(queue);
    return message == null ? VirtualClock.NEVER : message.getWhen();
  }

  /** Returns the first message. Behind a barrier only asynchronous messages count. */
  private Message first(MessageQueue queue) {
    Message message = (Message) FrameworkFields.read(first, queue);
    if (message != null && message.getTarget() == null) {
      do {
        message = (Message) FrameworkFields.read(next, message);
      } while (message != null && !message.isAsynchronous());
    }
    return message;
  }
}
