// The messages that wait on the main thread for a process that has ended.
package dev.retap.agent.device.process;

import android.os.Handler;
import android.os.Looper;
import android.os.Message;
import android.os.MessageQueue;
import dev.retap.agent.device.reflect.FrameworkFields;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

final class ProcessMessages {
  private static final Field FIRST = FrameworkFields.find(MessageQueue.class, "mMessages");
  private static final Field NEXT = FrameworkFields.find(Message.class, "next");

  private ProcessMessages() {}

  static void remove(OtherProcess process) {
    List<Runnable> removals = new ArrayList<>();
    Object message = FrameworkFields.read(FIRST, Looper.getMainLooper().getQueue());
    for (; message != null; message = FrameworkFields.read(NEXT, message)) {
      addRemoval((Message) message, process, removals);
    }
    removals.forEach(Runnable::run);
  }

  private static void addRemoval(Message message, OtherProcess process, List<Runnable> removals) {
    Handler target = message.getTarget();
    Runnable callback = message.getCallback();
    if (target == null) {
      return;
    }
    if (target == process.requests || target.getClass().getClassLoader() == process.loader) {
      removals.add(() -> target.removeCallbacksAndMessages(null));
    } else if (callback != null && callback.getClass().getClassLoader() == process.loader) {
      removals.add(() -> target.removeCallbacks(callback));
    }
  }
}
