// The native half of VelocityTracker.
package dev.retap.agent.shadow.graphics;

import android.view.MotionEvent;
import android.view.VelocityTracker;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(VelocityTracker.class)
public class VelocityTrackerShadow {
  private static final Map<Long, PointerVelocity> TRACKERS = new ConcurrentHashMap<>();
  private static final AtomicLong LAST = new AtomicLong();

  @Implementation(maxSdk = 30, methodName = "nativeInitialize")
  protected static long initializeByName(String strategy) {
    return create();
  }

  @Implementation(minSdk = 31)
  protected static long nativeInitialize(int strategy) {
    return create();
  }

  private static long create() {
    long id = LAST.incrementAndGet();
    TRACKERS.put(id, new PointerVelocity());
    return id;
  }

  @Implementation
  protected static void nativeDispose(long id) {
    TRACKERS.remove(id);
  }

  @Implementation
  protected static void nativeClear(long id) {
    TRACKERS.get(id).clear();
  }

  @Implementation
  protected static void nativeAddMovement(long id, MotionEvent event) {
    PointerVelocity tracker = TRACKERS.get(id);
    switch (event.getActionMasked()) {
      case MotionEvent.ACTION_DOWN, MotionEvent.ACTION_HOVER_ENTER -> tracker.clear();
      case MotionEvent.ACTION_POINTER_DOWN ->
          tracker.forget(event.getPointerId(event.getActionIndex()));
      case MotionEvent.ACTION_MOVE, MotionEvent.ACTION_HOVER_MOVE ->
          tracker.checkStopped(event.getEventTime());
      case MotionEvent.ACTION_UP, MotionEvent.ACTION_POINTER_UP -> {
        // A finger that is lifted has not moved, but may have stopped before.
        tracker.checkStopped(event.getEventTime());
        return;
      }
      default -> {
        return;
      }
    }
    for (int pointer = 0; pointer < event.getPointerCount(); pointer++) {
      int number = event.getPointerId(pointer);
      for (int i = 0; i < event.getHistorySize(); i++) {
        tracker.add(
            number,
            event.getHistoricalEventTime(i),
            event.getHistoricalX(pointer, i),
            event.getHistoricalY(pointer, i));
      }
      tracker.add(number, event.getEventTime(), event.getX(pointer), event.getY(pointer));
    }
  }

  @Implementation
  protected static void nativeComputeCurrentVelocity(long id, int units, float most) {
    TRACKERS.get(id).compute(units, most);
  }

  @Implementation(maxSdk = 33)
  protected static float nativeGetXVelocity(long id, int pointer) {
    return TRACKERS.get(id).get(MotionEvent.AXIS_X, pointer);
  }

  @Implementation(maxSdk = 33)
  protected static float nativeGetYVelocity(long id, int pointer) {
    return TRACKERS.get(id).get(MotionEvent.AXIS_Y, pointer);
  }

  @Implementation(minSdk = 34)
  protected static float nativeGetVelocity(long id, int axis, int pointer) {
    return nativeIsAxisSupported(axis) ? TRACKERS.get(id).get(axis, pointer) : 0;
  }

  @Implementation(minSdk = 34)
  protected static boolean nativeIsAxisSupported(int axis) {
    return axis == MotionEvent.AXIS_X || axis == MotionEvent.AXIS_Y;
  }
}
