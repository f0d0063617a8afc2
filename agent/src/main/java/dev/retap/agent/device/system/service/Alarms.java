// The alarm manager's service. Alarms go off in virtual time, on the main thread's clock. An
// alarm for a time of day is counted from the time of day that the app sees.
package dev.retap.agent.device.system.service;

import android.app.AlarmManager;
import android.app.PendingIntent;
import android.os.Handler;
import android.os.IInterface;
import android.os.Looper;
import android.os.SystemClock;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.system.activity.AppVisibility;
import dev.retap.agent.device.system.packages.AlarmRules;
import dev.retap.agent.world.Blocking;
import java.util.LinkedHashMap;
import java.util.Map;

public final class Alarms {
  /** The length of the window in which an exact alarm goes off. */
  private static final long EXACT = 0;

  private final Handler clock = new Handler(Looper.getMainLooper());
  private final Map<Object, Runnable> pending = new LinkedHashMap<>();
  private final AlarmRules rules;
  private final AppVisibility visibility;

  public Alarms(AlarmRules rules, AppVisibility visibility) {
    this.rules = rules;
    this.visibility = visibility;
  }

  public void install() {
    new BinderStub()
        .on("set", this::set)
        .on("remove", this::remove)
        .on("removeAll", call -> removeAll())
        .on("canScheduleExactAlarms", call -> rules.maySetExact())
        .on("hasScheduleExactAlarm", call -> rules.maySetExact())
        .on("setTime", call -> false)
        .publish("alarm", "android.app.IAlarmManager");
  }

  private synchronized Object set(BinderCall call) {
    Object key = key(call);
    if (key == null) {
      return null;
    }
    rules.check(isExact(call) && call.first(PendingIntent.class) != null, pending.size());
    cancel(key);
    long at = call.nth(long.class, 0);
    long interval = call.nth(long.class, 2);
    int type = call.number(0);
    boolean isWallClock = type == AlarmManager.RTC || type == AlarmManager.RTC_WAKEUP;
    long delay = at - (isWallClock ? Blocking.currentTimeMillis() : SystemClock.elapsedRealtime());
    schedule(key, call, Math.max(0, delay), interval);
    return null;
  }

  private static boolean isExact(BinderCall call) {
    return call.nth(long.class, 1) == EXACT;
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
          if (isExact(call)) {
            visibility.called();
          }
          fire(call);
        };
    pending.put(key, alarm);
    clock.postDelayed(alarm, delay);
  }

  private static void fire(BinderCall call) {
    PendingIntent operation = call.first(PendingIntent.class);
    if (operation == null) {
      // A listener. It reports its completion to a callback that nobody waits for.
      FrameworkCalls.call(listener(call), "doAlarm");
      return;
    }
    try {
      operation.send();
    } catch (PendingIntent.CanceledException e) {
      // Cancelled after it was set: nothing happens, as on the phone.
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

  /** Returns what identifies an alarm: its pending intent or its listener. */
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
