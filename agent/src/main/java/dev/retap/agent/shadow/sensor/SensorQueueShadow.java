// The native half of a listener's event queue. A sensor that changes reports its reading once. One
// that measures all the time reports a few readings at the rate that was asked for and then falls
// silent, so that an app which listens comes to rest.
package dev.retap.agent.shadow.sensor;

import android.os.Handler;
import android.os.Looper;
import android.os.MessageQueue;
import android.os.SystemClock;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@Implements(
    className = "android.hardware.SystemSensorManager$BaseEventQueue",
    isInAndroidSdk = false)
public class SensorQueueShadow {
  private static final int READINGS = 5;
  private static final int FASTEST_MILLIS = 20;
  private static final int FIRST_MILLIS = 20;
  private static final int ACCURACY_HIGH = 3;

  /** A sensor's event has room for so many values; the framework takes those it needs. */
  private static final int EVENT_VALUES = 16;

  private static final Map<Long, Queue> QUEUES = new HashMap<>();
  private static long lastQueue;

  /** A queue of the framework, which this class must not keep alive, and the thread it runs on. */
  private record Queue(WeakReference<?> framework, Handler handler, Map<Integer, Object> enabled) {}

  /** Forgets the queues of an ended process. */
  public static synchronized void reset() {
    QUEUES.clear();
    lastQueue = 0;
  }

  @Implementation(maxSdk = 23)
  protected static long nativeInitBaseEventQueue(
      long manager,
      WeakReference<?> queue,
      MessageQueue messages,
      float[] scratch,
      String packageName,
      int mode,
      String opPackageName) {
    return open(queue, messages);
  }

  @Implementation(minSdk = 24, maxSdk = 30)
  protected static long nativeInitBaseEventQueue(
      long manager,
      WeakReference<?> queue,
      MessageQueue messages,
      String packageName,
      int mode,
      String opPackageName) {
    return open(queue, messages);
  }

  @Implementation(minSdk = 31)
  protected static long nativeInitBaseEventQueue(
      long manager,
      WeakReference<?> queue,
      MessageQueue messages,
      String packageName,
      int mode,
      String opPackageName,
      String attributionTag) {
    return open(queue, messages);
  }

  private static synchronized long open(WeakReference<?> queue, MessageQueue messages) {
    Handler handler = new Handler(Looper.getMainLooper());
    // The native side is told only the message queue, which is not always the main thread's.
    ReflectionHelpers.setField(handler, "mQueue", messages);
    QUEUES.put(++lastQueue, new Queue(queue, handler, new HashMap<>()));
    return lastQueue;
  }

  @Implementation
  protected static synchronized int nativeEnableSensor(
      long queue, int handle, int rateMicros, int maxLatencyMicros) {
    StockSensor sensor = StockSensor.ALL.get(handle);
    Object registration = new Object();
    QUEUES.get(queue).enabled.put(handle, registration);
    if (sensor.values().length > 0) {
      int interval =
          Math.max(Math.max(rateMicros, sensor.minDelayMicros()) / 1_000, FASTEST_MILLIS);
      int readings = sensor.isContinuous() ? READINGS : 1;
      report(queue, handle, registration, FIRST_MILLIS, interval, readings);
    }
    return 0;
  }

  @Implementation
  protected static synchronized int nativeDisableSensor(long queue, int handle) {
    Queue known = QUEUES.get(queue);
    if (known != null) {
      known.enabled.remove(handle);
    }
    return 0;
  }

  @Implementation
  protected static synchronized void nativeDestroySensorEventQueue(long queue) {
    QUEUES.remove(queue);
  }

  @Implementation
  protected static synchronized int nativeFlushSensor(long queue) {
    Queue known = QUEUES.get(queue);
    for (int handle : known.enabled.keySet()) {
      known.handler.post(
          () -> call(known, "dispatchFlushCompleteEvent", ClassParameter.from(int.class, handle)));
    }
    return 0;
  }

  private static synchronized void report(
      long queue, int handle, Object registration, int delay, int interval, int left) {
    Queue known = QUEUES.get(queue);
    known.handler.postDelayed(
        () -> {
          if (!isEnabled(queue, handle, registration)) {
            return;
          }
          call(
              known,
              "dispatchSensorEvent",
              ClassParameter.from(int.class, handle),
              ClassParameter.from(
                  float[].class, Arrays.copyOf(StockSensor.ALL.get(handle).values(), EVENT_VALUES)),
              ClassParameter.from(int.class, ACCURACY_HIGH),
              ClassParameter.from(long.class, SystemClock.elapsedRealtimeNanos()));
          if (left > 1 && isEnabled(queue, handle, registration)) {
            report(queue, handle, registration, interval, interval, left - 1);
          }
        },
        delay);
  }

  private static synchronized boolean isEnabled(long queue, int handle, Object registration) {
    Queue known = QUEUES.get(queue);
    return known != null && known.enabled.get(handle) == registration;
  }

  private static void call(Queue queue, String method, ClassParameter<?>... arguments) {
    Object framework = queue.framework.get();
    if (framework != null) {
      ReflectionHelpers.callInstanceMethod(framework.getClass(), framework, method, arguments);
    }
  }
}
