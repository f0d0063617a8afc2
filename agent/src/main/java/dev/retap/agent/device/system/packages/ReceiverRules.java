// What the activity manager refuses to a sender or a receiver of broadcasts.
package dev.retap.agent.device.system.packages;

import android.appwidget.AppWidgetManager;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.os.Process;
import dev.retap.agent.device.binder.BinderStub;
import java.util.Iterator;
import java.util.List;

public final class ReceiverRules {
  private static final int FIRST_WITH_EXPORT_FLAGS = 33;
  private static final int FIRST_THAT_MUST_DECLARE = 34;
  private static final List<String> OF_WIDGETS =
      List.of(
          AppWidgetManager.ACTION_APPWIDGET_CONFIGURE, AppWidgetManager.ACTION_APPWIDGET_UPDATE);

  private final String packageName;
  private final int targetSdk;
  private final int apiLevel;

  public ReceiverRules(String packageName, int targetSdk, int apiLevel) {
    this.packageName = packageName;
    this.targetSdk = targetSdk;
    this.apiLevel = apiLevel;
  }

  /** Throws if the app may not send this broadcast; one about widgets stays within the app. */
  public void checkSending(Intent intent) {
    String action = intent.getAction();
    if (action == null) {
      return;
    }
    if (ProtectedBroadcasts.contains(action)) {
      throw refuse(action);
    }
    if (OF_WIDGETS.contains(action)) {
      if (intent.getComponent() == null) {
        intent.setPackage(packageName);
      } else if (!intent.getComponent().getPackageName().equals(packageName)) {
        throw refuse(action);
      }
    }
  }

  private static SecurityException refuse(String action) {
    return BinderStub.refuse(
        "Permission Denial: not allowed to send broadcast %s from pid=%d, uid=%d"
            .formatted(action, Process.myPid(), Process.myUid()));
  }

  /** Throws if a receiver for more than the system's broadcasts does not say if it is exported. */
  public void checkRegistering(boolean hasReceiver, IntentFilter filter, int flags) {
    if (apiLevel < FIRST_WITH_EXPORT_FLAGS || !hasReceiver) {
      return;
    }
    int declared = flags & (Context.RECEIVER_EXPORTED | Context.RECEIVER_NOT_EXPORTED);
    if (declared == (Context.RECEIVER_EXPORTED | Context.RECEIVER_NOT_EXPORTED)) {
      throw BinderStub.trimmed(
          new IllegalArgumentException(
              "Receiver can't specify both RECEIVER_EXPORTED and RECEIVER_NOT_EXPORTED flag"));
    }
    if (declared == 0
        && Math.min(apiLevel, targetSdk) >= FIRST_THAT_MUST_DECLARE
        && !isOnlyForTheSystem(filter)) {
      throw BinderStub.refuse(
          packageName
              + ": One of RECEIVER_EXPORTED or RECEIVER_NOT_EXPORTED should be specified when a"
              + " receiver isn't being registered exclusively for system broadcasts");
    }
  }

  private static boolean isOnlyForTheSystem(IntentFilter filter) {
    for (Iterator<String> actions = filter.actionsIterator();
        actions != null && actions.hasNext(); ) {
      if (!ProtectedBroadcasts.contains(actions.next())) {
        return false;
      }
    }
    return true;
  }
}
