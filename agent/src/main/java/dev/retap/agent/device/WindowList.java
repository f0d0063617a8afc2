// The windows on the screen, back to front, as the window manager's client side knows them.
package dev.retap.agent.device;

import android.os.IBinder;
import android.view.View;
import android.view.ViewGroup;
import android.view.ViewRootImpl;
import android.view.WindowManager.LayoutParams;
import android.view.WindowManagerGlobal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

final class WindowList {
  /** Kinds in the order of the protocol's numbers. */
  enum Kind {
    ACTIVITY,
    DIALOG,
    MENU,
    POPUP,
    KEYBOARD,
    TOAST,
    OUTSIDE
  }

  record Window(ViewRootImpl root, View view, LayoutParams params, Kind kind, int layer) {
    boolean touchable() {
      return (params.flags & LayoutParams.FLAG_NOT_TOUCHABLE) == 0 && kind != Kind.TOAST;
    }

    boolean focusable() {
      return (params.flags & LayoutParams.FLAG_NOT_FOCUSABLE) == 0 && kind != Kind.TOAST;
    }

    boolean modal() {
      return (params.flags & (LayoutParams.FLAG_NOT_TOUCH_MODAL | LayoutParams.FLAG_NOT_FOCUSABLE))
          == 0;
    }

    /** Belongs to another window and takes no part in what happens when that comes or goes. */
    boolean isPanel() {
      return params.type >= LayoutParams.FIRST_SUB_WINDOW
          && params.type <= LayoutParams.LAST_SUB_WINDOW;
    }

    int[] location() {
      int[] location = new int[2];
      view.getLocationOnScreen(location);
      return location;
    }

    boolean contains(int x, int y) {
      int[] at = location();
      return x >= at[0] && y >= at[1] && x < at[0] + view.getWidth() && y < at[1] + view.getHeight();
    }
  }

  private WindowList() {}

  /** Windows of visible activities and of the system, lowest first. */
  static List<Window> visible(List<ActivityRecord> activities) {
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

  /** Which layer a window lies in: that of its activity, above all for system windows, else -1. */
  private static int layer(
      int index, List<ViewRootImpl> roots, List<LayoutParams> params,
      List<ActivityRecord> activities) {
    LayoutParams own = params.get(index);
    if (own.type >= LayoutParams.FIRST_SYSTEM_WINDOW) {
      return activities.size() * 2;
    }
    IBinder token = own.token;
    if (own.type >= LayoutParams.FIRST_SUB_WINDOW) {
      for (int i = 0; i < roots.size(); i++) {
        if (i != index && roots.get(i).getView() != null
            && roots.get(i).getView().getWindowToken() == token) {
          return layer(i, roots, params, activities);
        }
      }
    }
    for (int i = 0; i < activities.size(); i++) {
      if (activities.get(i).token == token) {
        // The activity's own window is the lowest of its token, even when a dialog came before it.
        return own.type == LayoutParams.TYPE_BASE_APPLICATION ? i * 2 : i * 2 + 1;
      }
    }
    return -1;
  }

  private static Kind kind(LayoutParams params, View view) {
    if (view instanceof OutsideView outside) {
      return outside.overlay ? Kind.DIALOG : Kind.OUTSIDE;
    }
    if (params.type == LayoutParams.TYPE_BASE_APPLICATION) {
      return Kind.ACTIVITY;
    }
    if (params.type == LayoutParams.TYPE_TOAST) {
      return Kind.TOAST;
    }
    if (params.type == LayoutParams.TYPE_APPLICATION_ATTACHED_DIALOG || hasMenuItem(view)) {
      return Kind.MENU;
    }
    return params.type >= LayoutParams.FIRST_SUB_WINDOW
            && params.type <= LayoutParams.LAST_SUB_WINDOW
        ? Kind.POPUP
        : Kind.DIALOG;
  }

  /** Menus fill their windows with rows of one class, the framework's or AppCompat's of that name. */
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
    return (List<T>) ByType.get(owner, field);
  }
}
