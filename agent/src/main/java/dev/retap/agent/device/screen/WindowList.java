// The windows on the screen, back to front, as the window manager's client side knows them.
package dev.retap.agent.device.screen;

import android.os.IBinder;
import android.view.View;
import android.view.ViewGroup;
import android.view.ViewRootImpl;
import android.view.WindowManager.LayoutParams;
import android.view.WindowManagerGlobal;
import dev.retap.agent.device.reflect.FrameworkFields;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

public final class WindowList {
  private WindowList() {}

  /**
   * Returns the windows of visible activities and of the system, lowest first.
   *
   * @param activities the tokens of the visible activities, lowest first
   */
  public static List<Window> visible(List<IBinder> activities) {
    WindowManagerGlobal global = WindowManagerGlobal.getInstance();
    List<ViewRootImpl> roots = list(global, "mRoots");
    List<LayoutParams> params = list(global, "mParams");
    List<Window> windows = new ArrayList<>();
    for (int i = 0; i < roots.size(); i++) {
      View view = roots.get(i).getView();
      if (view == null || view.getVisibility() != View.VISIBLE) {
        continue;
      }
      int layer = layer(i, roots, params, activities);
      if (layer >= 0) {
        windows.add(
            new Window(roots.get(i), view, params.get(i), kind(params.get(i), view), layer));
      }
    }
    windows.sort(Comparator.comparingInt(Window::layer));
    return windows;
  }

  /** Returns the layer of the window's activity, the top layer for system windows, else -1. */
  private static int layer(
      int index, List<ViewRootImpl> roots, List<LayoutParams> params, List<IBinder> activities) {
    LayoutParams own = params.get(index);
    if (own.type >= LayoutParams.FIRST_SYSTEM_WINDOW) {
      return activities.size() * 2;
    }
    IBinder token = own.token;
    if (own.type >= LayoutParams.FIRST_SUB_WINDOW) {
      for (int i = 0; i < roots.size(); i++) {
        if (i != index
            && roots.get(i).getView() != null
            && roots.get(i).getView().getWindowToken() == token) {
          return layer(i, roots, params, activities);
        }
      }
    }
    for (int i = 0; i < activities.size(); i++) {
      if (activities.get(i) == token) {
        // The activity's own window is the lowest of its token, even if a dialog was added first.
        return own.type == LayoutParams.TYPE_BASE_APPLICATION ? i * 2 : i * 2 + 1;
      }
    }
    return -1;
  }

  private static WindowKind kind(LayoutParams params, View view) {
    if (view instanceof OutsideWindow outside) {
      return outside.isOverlay() ? WindowKind.DIALOG : WindowKind.OUTSIDE;
    }
    if (params.type == LayoutParams.TYPE_BASE_APPLICATION) {
      return WindowKind.ACTIVITY;
    }
    if (params.type == LayoutParams.TYPE_TOAST) {
      return WindowKind.TOAST;
    }
    if (params.type == LayoutParams.TYPE_APPLICATION_ATTACHED_DIALOG || hasMenuItem(view)) {
      return WindowKind.MENU;
    }
    return params.type >= LayoutParams.FIRST_SUB_WINDOW
            && params.type <= LayoutParams.LAST_SUB_WINDOW
        ? WindowKind.POPUP
        : WindowKind.DIALOG;
  }

  /** Returns true for a menu: its rows are of one class, the framework's or AppCompat's. */
  private static boolean hasMenuItem(View view) {
    if (view.getClass().getSimpleName().equals("ListMenuItemView")) {
      return true;
    }
    if (view instanceof ViewGroup group) {
      for (int i = 0; i < group.getChildCount(); i++) {
        if (hasMenuItem(group.getChildAt(i))) {
          return true;
        }
      }
    }
    return false;
  }

  @SuppressWarnings("unchecked")
  private static <T> List<T> list(Object owner, String field) {
    return (List<T>) FrameworkFields.get(owner, field);
  }
}
