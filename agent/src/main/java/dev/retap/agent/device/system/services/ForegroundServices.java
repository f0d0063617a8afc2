// Services in the foreground: each shows a notification, and one that was started for it must do so
// in time. Services calls it with its lock held.
package dev.retap.agent.device.system.services;

import android.app.Notification;
import android.app.Service;
import android.os.Handler;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.system.packages.ForegroundRules;
import dev.retap.agent.device.system.service.NotificationServer;

final class ForegroundServices {
  private final ForegroundRules rules;
  private final NotificationServer notifications;
  private final ServiceOrders orders;
  private final int apiLevel;
  private final Handler clock;

  ForegroundServices(
      ForegroundRules rules,
      NotificationServer notifications,
      ServiceOrders orders,
      Handler clock,
      int apiLevel) {
    this.rules = rules;
    this.notifications = notifications;
    this.orders = orders;
    this.clock = clock;
    this.apiLevel = apiLevel;
  }

  /**
   * Gives a service that shows nothing a time for its notification.
   *
   * @param miss runs if it has none by then
   */
  void expect(ServiceRecord record, Runnable miss) {
    if (record.shown == 0 && record.deadline == null) {
      record.deadline = miss;
      clock.postDelayed(record.deadline, deadlineMillis());
    }
  }

  private long deadlineMillis() {
    if (apiLevel < 28) {
      return 5_000;
    }
    return apiLevel < 33 ? 10_000 : 30_000;
  }

  void meetDeadline(ServiceRecord record) {
    if (record.deadline != null) {
      clock.removeCallbacks(record.deadline);
      record.deadline = null;
    }
  }

  /** Ends the app if it still waits for the notification of a service that is gone. */
  void crashUnshown(ServiceRecord record) {
    if (record.deadline != null) {
      meetDeadline(record);
      orders.crash(
          record,
          "Context.startForegroundService() did not then call Service.startForeground(): "
              + "ServiceRecord{0 u0 %s}".formatted(record.name.flattenToShortString()),
          "ForegroundServiceDidNotStartInTimeException");
    }
  }

  /** Brings a service into the foreground with its notification, or takes it out of there. */
  void set(ServiceRecord record, BinderCall call) {
    int id = call.number(0);
    if (id == 0) {
      boolean keepsNotification = (call.number(1) & Service.STOP_FOREGROUND_REMOVE) == 0;
      hide(record, keepsNotification);
      return;
    }
    Notification notification = call.first(Notification.class);
    if (notification == null) {
      throw BinderStub.trimmed(new IllegalArgumentException("null notification"));
    }
    meetDeadline(record);
    rules.check(record.info, call.number(2));
    record.shown = id;
    String fault = notifications.showForeground(record.name, id, notification);
    if (fault != null) {
      orders.crash(
          record,
          "Bad notification for startForeground: java.lang.RuntimeException: " + fault,
          "CannotPostForegroundServiceNotificationException");
    }
  }

  void hide(ServiceRecord record, boolean keepsNotification) {
    if (record.shown != 0 && !keepsNotification) {
      notifications.hideForeground(record.shown);
    }
    record.shown = 0;
  }
}
