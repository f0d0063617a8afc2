// The part of the system that keeps the notifications that the app has posted.
package dev.retap.agent.device.system.service;

import android.app.Notification;
import android.app.NotificationManager;
import android.content.ComponentName;
import android.os.Process;
import android.service.notification.StatusBarNotification;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.world.Blocking;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

public final class NotificationServer {
  private static final int FIRST_WITH_CHANNELS = 26;
  private static final int FIRST_WITH_CHECKED_CHANNELS = 27;
  private static final int MOST = 25;

  private record Key(String tag, int id) {}

  private final int targetSdk;
  private final int apiLevel;
  private final BooleanSupplier isAllowed;
  private final Map<Key, StatusBarNotification> posted = new LinkedHashMap<>();
  private final NotificationChannels channels = new NotificationChannels(this::cancelChannel);

  /**
   * @param isAllowed tells if the app may post notifications now
   */
  public NotificationServer(int targetSdk, int apiLevel, BooleanSupplier isAllowed) {
    this.targetSdk = targetSdk;
    this.apiLevel = apiLevel;
    this.isAllowed = isAllowed;
  }

  public void install() {
    BinderStub stub =
        new BinderStub()
            .on("enqueueNotificationWithTag", this::post)
            .on("cancelNotificationWithTag", this::cancel)
            .on("cancelAllNotifications", call -> cancelAll())
            .on("getAppActiveNotifications", call -> active())
            .on("areNotificationsEnabled", call -> isAllowed.getAsBoolean())
            .on("getPackageImportance", call -> importance());
    if (apiLevel >= FIRST_WITH_CHANNELS) {
      channels.serve(stub);
    }
    stub.publish("notification", "android.app.INotificationManager");
    FrameworkFields.setStatic(NotificationManager.class, "sService", null);
  }

  private synchronized Object post(BinderCall call) {
    String tag = call.nth(String.class, 2);
    int id = call.number(0);
    int[] received = call.first(int[].class);
    if (received != null) {
      // Before API 26 the server hands the number back.
      received[0] = id;
    }
    Notification notification = call.first(Notification.class);
    Key key = new Key(tag, id);
    if (isAllowed.getAsBoolean()
        && isOnShownChannel(notification)
        && (posted.containsKey(key) || posted.size() < MOST)) {
      posted.put(key, record(call.nth(String.class, 0), key, notification.clone()));
    }
    return null;
  }

  /**
   * Shows the notification of a service in the foreground.
   *
   * @return what is wrong with it, or null
   */
  public synchronized String showForeground(
      ComponentName service, int id, Notification notification) {
    if (Math.min(targetSdk, apiLevel) >= FIRST_WITH_CHECKED_CHANNELS
        && !channels.has(notification.getChannelId())) {
      return "invalid channel for service notification: " + notification;
    }
    notification.flags |= Notification.FLAG_FOREGROUND_SERVICE;
    if (isAllowed.getAsBoolean() && isOnShownChannel(notification)) {
      Key key = new Key(null, id);
      posted.put(key, record(service.getPackageName(), key, notification.clone()));
    }
    return null;
  }

  /** Takes away the notification of a service that is no longer in the foreground. */
  public synchronized void hideForeground(int id) {
    posted.remove(new Key(null, id));
  }

  private boolean isOnShownChannel(Notification notification) {
    return Math.min(targetSdk, apiLevel) < FIRST_WITH_CHANNELS
        || channels.shows(notification.getChannelId());
  }

  private static StatusBarNotification record(String owner, Key key, Notification notification) {
    return (StatusBarNotification)
        FrameworkCalls.construct(
            StatusBarNotification.class,
            owner,
            owner,
            key.id,
            key.tag,
            Process.myUid(),
            Process.myPid(),
            notification,
            Process.myUserHandle(),
            Blocking.currentTimeMillis());
  }

  private synchronized Object cancel(BinderCall call) {
    posted.remove(new Key(call.last(String.class), call.number(0)));
    return null;
  }

  private synchronized Object cancelAll() {
    posted.clear();
    return null;
  }

  private synchronized void cancelChannel(String id) {
    posted.values().removeIf(one -> id.equals(one.getNotification().getChannelId()));
  }

  private synchronized Object active() {
    return BinderStub.slice(new ArrayList<>(posted.values()));
  }

  private Object importance() {
    return isAllowed.getAsBoolean()
        ? NotificationManager.IMPORTANCE_DEFAULT
        : NotificationManager.IMPORTANCE_NONE;
  }
}
