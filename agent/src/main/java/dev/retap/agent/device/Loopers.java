// When the next message of a looper falls due, read from its queue: asked before every message, so
// without the ceremony of a test's looper manager.
package dev.retap.agent.device;

import android.os.Looper;
import android.os.Message;
import android.os.MessageQueue;
import dev.retap.agent.world.Timeline;
import java.lang.reflect.Field;
import org.robolectric.shadows.ShadowLooper;

final class Loopers {
  private final Field first = field(MessageQueue.class, "mMessages");
  private final Field next = field(Message.class, "next");

  long nextOnMain() {
    return next(Looper.getMainLooper().getQueue());
  }

  long nextInBackground() {
    long due = Timeline.NEVER;
    for (Looper looper : ShadowLooper.getAllLoopers()) {
      if (looper != Looper.getMainLooper() && looper.getThread().isAlive()) {
        due = Math.min(due, next(looper.getQueue()));
      }
    }
    return due;
  }

  /** In virtual milliseconds; behind a barrier only asynchronous messages count. */
  private long next(MessageQueue queue) {
    try {
      synchronized (queue) {
        Message message = (Message) first.get(queue);
        if (message != null && message.getTarget() == null) {
          do {
            message = (Message) next.get(message);
          } while (message != null && !message.isAsynchronous());
        }
        return message == null ? Timeline.NEVER : message.getWhen();
      }
    } catch (IllegalAccessException e) {
      throw new LinkageError("message queue", e);
    }
  }

  private static Field field(Class<?> owner, String name) {
    try {
      Field field = owner.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new LinkageError("this Android has no " + owner.getName() + "." + name, e);
    }
  }
}
