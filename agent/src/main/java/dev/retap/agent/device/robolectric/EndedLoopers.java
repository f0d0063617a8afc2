// Makes Robolectric forget the loopers of threads that have ended. A message queue listens to the
// clock until its looper quits, and a choreographer is kept until it is disposed of, but the
// threads of an ended process do neither: they are unwound. Each of them would keep its process in
// memory and be told whenever time passes.
package dev.retap.agent.device.robolectric;

import android.os.Looper;
import dev.retap.agent.device.reflect.FrameworkFields;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowLooper;
import org.robolectric.shadows.ShadowPausedChoreographer;
import org.robolectric.shadows.ShadowPausedMessageQueue;
import org.robolectric.shadows.ShadowPausedSystemClock;

final class EndedLoopers {
  private EndedLoopers() {}

  static void forget() {
    Set<Object> living = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Looper looper : ShadowLooper.getAllLoopers()) {
      if (looper.getThread().isAlive()) {
        ShadowPausedMessageQueue queue = Shadow.extract(looper.getQueue());
        living.add(FrameworkFields.get(queue, "clockListener"));
      }
    }
    clockListeners().removeIf(listener -> !living.contains(listener));
    // The main thread's is one of its values, which ended with the process (see ThreadLocals).
    choreographers().clear();
  }

  /** Returns the listeners of all message queues. */
  private static Collection<?> clockListeners() {
    return (Collection<?>)
        FrameworkFields.getStatic(ShadowPausedSystemClock.class, "staticListeners");
  }

  /** Returns the choreographers of all threads. */
  private static Collection<?> choreographers() {
    return (Collection<?>)
        FrameworkFields.getStatic(ShadowPausedChoreographer.class, "activeChoreographers");
  }
}
