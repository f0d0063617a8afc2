// The notifications that the app has posted, newest first, and the effects of opening one.
package dev.retap.agent.device.system.service;

import android.app.Notification;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.content.Context;
import android.service.notification.StatusBarNotification;
import java.util.Arrays;
import java.util.Comparator;

public final class Notifications {
  private final NotificationManager manager;

  public Notifications(Context context) {
    manager = (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
  }

  /** Taps the nth notification, 0 being the newest; nothing happens if there is none. */
  void open(int n) {
    StatusBarNotification posted = nth(n);
    if (posted == null) {
      return;
    }
    Notification notification = posted.getNotification();
    if ((notification.flags & Notification.FLAG_AUTO_CANCEL) != 0) {
      manager.cancel(posted.getTag(), posted.getId());
    }
    send(notification.contentIntent);
  }

  /** Swipes the nth notification away, unless it is an ongoing one. */
  void dismiss(int n) {
    StatusBarNotification posted = nth(n);
    if (posted != null && posted.isClearable()) {
      manager.cancel(posted.getTag(), posted.getId());
      send(posted.getNotification().deleteIntent);
    }
  }

  private static void send(PendingIntent intent) {
    if (intent != null) {
      try {
        intent.send();
      } catch (PendingIntent.CanceledException e) {
        // The app cancelled it: the tap does nothing.
        return;
      }
    }
  }

  private StatusBarNotification nth(int n) {
    StatusBarNotification[] posted = manager.getActiveNotifications();
    Arrays.sort(
        posted,
        Comparator.comparingLong(StatusBarNotification::getPostTime)
            .reversed()
            .thenComparing(StatusBarNotification::getKey));
    return n >= 0 && n < posted.length ? posted[n] : null;
  }
}
