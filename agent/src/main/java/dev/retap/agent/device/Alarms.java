// The alarm manager's service: alarms go off in virtual time, on the main thread's clock. An alarm
// for a moment of the day is counted from the app's own idea of that day.
package dev.retap.agent.device;

import android.app.AlarmManager;
import android.app.PendingIntent;
import android.os.Handler;
import android.os.IInterface;
import android.os.Looper;
import android.os.SystemClock;
import dev.retap.agent.world.Blocking;
import java.util.LinkedHashMap;
import java.util.Map;

final class Alarms {
  private final Handler clock = new Handler(Looper.getMainLooper());
  private final Map<Object, Runnable> pending = new LinkedHashMap<>();

  void install() {
    SystemServer.service(
        "alarm",
        "android.app.IAlarmManager",
        new BinderStub()
            .on("set", this::set)
            .on("remove", this::remove)
            .on("removeAll", call -> removeAll())
            .on("canScheduleExactAlarms", call -> true)
            .on("hasScheduleExactAlarm", call -> true)
            .on("setTime", call -> false));
  }

  private synchronized Object set(BinderCall call) {
    Object key = key(call);
    if (key == null) {
      return null;
    }
    cancel(key);
    long at = call.nth(long.class, 0);
    long interval = call.nth(long.class, 2);
    int type = call.number(0);
    boolean dayTime = type == AlarmManager.RTC || type == AlarmManager.RTC_WAKEUP;
    long delay = at - (dayTime ? Blocking.currentTimeMillis() : SystemClock.elapsedRealtime());
    schedule(key, call, Math.max(0, delay), interval);
    return null;
  }

  private void schedule(Object key, BinderCall call, long delay, long interval) {
    Runnable alarm =
        () -> {
          synchronized (this) {
            pending.remove(key);
            if (interval > 0) {
              schedule(key, call, interval, interval);
            }
          }
          goOff(call);
        };
    pending.put(key, alarm);
    clock.postDelayed(alarm, delay);
  }

  private static void goOff(BinderCall call) {
    PendingIntent operation = call.first(PendingIntent.class);
    if (operation == null) {
      // Its completion is reported to a callback nobody waits for.
      ByType.call(listener(call), "doAlarm");
      return;
    }
    try {
      operation.send();
    } catch (PendingIntent.CanceledException e) {
      // Canceled after it was set: nothing goes off, as on the phone.
      return;
    }
  }

  private synchronized Object remove(BinderCall call) {
    Object key = key(call);
    if (key != null) {
      cancel(key);
    }
    return null;
  }

  private synchronized Object removeAll() {
    pending.values().forEach(clock::removeCallbacks);
    pending.clear();
    return null;
  }

  private void cancel(Object key) {
    Runnable earlier = pending.remove(key);
    if (earlier != null) {
      clock.removeCallbacks(earlier);
    }
  }

  /** Equal pending intents are one alarm; so is one listener. */
  private static Object key(BinderCall call) {
    PendingIntent operation = call.first(PendingIntent.class);
    IInterface listener = listener(call);
    return operation != null ? operation : listener == null ? null : listener.asBinder();
  }

  private static IInterface listener(BinderCall call) {
    for (Object argument : call.arguments()) {
      if (argument instanceof IInterface listener) {
        return listener;
      }
    }
    return null;
  }
}
