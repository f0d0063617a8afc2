// What the window manager refuses: windows of activities that are gone or were never there, panels
// of windows that are not shown, and windows over other apps without permission.
package dev.retap.agent.shadow;

import android.os.IBinder;
import android.provider.Settings;
import android.view.View;
import android.view.ViewGroup;
import android.view.WindowManager.LayoutParams;
import android.view.WindowManagerGlobal;
import java.util.List;
import java.util.function.Predicate;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.util.ReflectionHelpers;

public final class WindowRules {
  private static final int ALLOWED = 0;
  private static final int FIRST_WITH_OVERLAYS = 26;

  /** Windows of the system that lie over apps and that apps may ask for. */
  private static final List<Integer> ALERTS =
      List.of(
          LayoutParams.TYPE_PHONE,
          LayoutParams.TYPE_SYSTEM_ALERT,
          LayoutParams.TYPE_SYSTEM_OVERLAY,
          LayoutParams.TYPE_PRIORITY_PHONE,
          LayoutParams.TYPE_SYSTEM_ERROR,
          LayoutParams.TYPE_APPLICATION_OVERLAY);

  private static Predicate<IBinder> activities = token -> true;

  private WindowRules() {}

  /** Sets who knows if a token is that of an activity that lives. */
  public static void setActivities(Predicate<IBinder> isActivity) {
    activities = isActivity;
  }

  /** Returns the window manager's answer to a new window: 0, or one of ADD_… below. */
  static int check(LayoutParams window) {
    if (!RuntimeEnvironment.getApplication().getPackageName().equals(window.packageName)) {
      // The phone itself shows it, such as the question for a permission.
      return ALLOWED;
    }
    if (isBetween(
        window, LayoutParams.FIRST_APPLICATION_WINDOW, LayoutParams.LAST_APPLICATION_WINDOW)) {
      return activities.test(window.token) ? ALLOWED : WindowManagerGlobal.ADD_BAD_APP_TOKEN;
    }
    if (isPanel(window)) {
      LayoutParams parent = parent(window.token);
      return parent == null || isPanel(parent)
          ? WindowManagerGlobal.ADD_BAD_SUBWINDOW_TOKEN
          : ALLOWED;
    }
    if (!isBetween(window, LayoutParams.FIRST_SYSTEM_WINDOW, LayoutParams.LAST_SYSTEM_WINDOW)) {
      return WindowManagerGlobal.ADD_INVALID_TYPE;
    }
    return ALERTS.contains(window.type) && !mayLieOverApps(window.type)
        ? WindowManagerGlobal.ADD_PERMISSION_DENIED
        : ALLOWED;
  }

  private static boolean mayLieOverApps(int type) {
    int target = RuntimeEnvironment.getApplication().getApplicationInfo().targetSdkVersion;
    boolean isOutdated =
        Math.min(target, RuntimeEnvironment.getApiLevel()) >= FIRST_WITH_OVERLAYS
            && type != LayoutParams.TYPE_APPLICATION_OVERLAY;
    return !isOutdated && Settings.canDrawOverlays(RuntimeEnvironment.getApplication());
  }

  private static boolean isPanel(LayoutParams window) {
    return isBetween(window, LayoutParams.FIRST_SUB_WINDOW, LayoutParams.LAST_SUB_WINDOW);
  }

  private static boolean isBetween(LayoutParams window, int first, int last) {
    return window.type >= first && window.type <= last;
  }

  /** Returns the parameters of the shown window with this token, or null. */
  private static LayoutParams parent(IBinder token) {
    List<View> views = ReflectionHelpers.getField(WindowManagerGlobal.getInstance(), "mViews");
    for (View view : views) {
      ViewGroup.LayoutParams params = view.getLayoutParams();
      if (token != null && view.getWindowToken() == token && params instanceof LayoutParams) {
        return (LayoutParams) params;
      }
    }
    return null;
  }
}
