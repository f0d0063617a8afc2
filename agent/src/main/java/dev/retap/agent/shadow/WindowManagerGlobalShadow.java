// Completes Robolectric's window session. A panel (popup, menu, spinner) lies in the frame of the
// window that it belongs to, not in that of the display. The window that the keyboard types into
// makes room for the keyboard.
package dev.retap.agent.shadow;

import android.graphics.Rect;
import android.os.IBinder;
import android.util.DisplayMetrics;
import android.view.Display;
import android.view.Gravity;
import android.view.IWindowSession;
import android.view.View;
import android.view.WindowManager.LayoutParams;
import android.view.WindowManagerGlobal;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowDisplay;
import org.robolectric.shadows.ShadowWindowManagerGlobal;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@Implements(value = WindowManagerGlobal.class, isInAndroidSdk = false)
public class WindowManagerGlobalShadow extends ShadowWindowManagerGlobal {
  private static IWindowSession host;
  private static IWindowSession session;
  private static Object typedInto;
  private static int keyboardHeight;
  private static int pan;
  private static boolean pans;
  private static boolean changed;

  /**
   * Shows or hides the keyboard.
   *
   * @param window the IWindow that the keyboard types into, or null
   * @param upwards how far a window that pans must move up to show its field
   */
  public static void setKeyboard(Object window, int height, int upwards) {
    typedInto = window;
    keyboardHeight = height;
    pan = upwards;
    pans &= window != null;
  }

  /** Returns true if windows were laid out or removed since the last call: the focus may move. */
  public static boolean takeChange() {
    boolean taken = changed;
    changed = false;
    return taken;
  }

  @Implementation
  protected static synchronized IWindowSession getWindowSession() {
    IWindowSession current = ShadowWindowManagerGlobal.getWindowSession();
    if (current != host) {
      host = current;
      session =
          (IWindowSession)
              Proxy.newProxyInstance(
                  IWindowSession.class.getClassLoader(),
                  new Class<?>[] {IWindowSession.class},
                  (proxy, method, arguments) -> call(current, method, arguments));
    }
    return session;
  }

  private static Object call(IWindowSession host, Method method, Object[] arguments)
      throws Throwable {
    if (method.getName().equals("getWindowId")) {
      return WindowIdentity.of((IBinder) arguments[0]);
    }
    if (method.getName().equals("performHapticFeedback")
        && method.getReturnType() == boolean.class) {
      // The phone can vibrate.
      return true;
    }
    changed |= method.getName().equals("relayout") || method.getName().equals("remove");
    int at = Arrays.asList(method.getParameterTypes()).indexOf(LayoutParams.class);
    if (method.getName().startsWith("addToDisplay")) {
      int refusal = WindowRules.check((LayoutParams) arguments[at]);
      if (refusal < 0) {
        return refusal;
      }
    }
    // A window whose parameters have not changed passes none.
    if (method.getName().equals("relayout") && arguments[at] != null) {
      LayoutParams params = (LayoutParams) arguments[at];
      arguments[at] = placeInParent(params);
      if (arguments[0] == typedInto && resizesForKeyboard(params)) {
        pans = false;
        makeRoomForKeyboard(params, arguments, at);
      } else {
        pans = arguments[0] == typedInto ? isPanned(params) : pans;
      }
    }
    try {
      Object result = method.invoke(host, arguments);
      if (method.getName().equals("relayout") && arguments[0] == typedInto && pans) {
        frameOf(arguments).offset(0, -pan);
      }
      return result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Returns true for a dialog, and for a larger window that does not pan. */
  private static boolean resizesForKeyboard(LayoutParams params) {
    int adjust = params.softInputMode & LayoutParams.SOFT_INPUT_MASK_ADJUST;
    boolean floats = params.height != LayoutParams.MATCH_PARENT;
    return !isPanel(params)
        && adjust != LayoutParams.SOFT_INPUT_ADJUST_NOTHING
        && (floats || adjust != LayoutParams.SOFT_INPUT_ADJUST_PAN);
  }

  private static boolean isPanned(LayoutParams params) {
    return !isPanel(params)
        && (params.softInputMode & LayoutParams.SOFT_INPUT_MASK_ADJUST)
            == LayoutParams.SOFT_INPUT_ADJUST_PAN;
  }

  /**
   * Returns the rectangle of the reply that holds the window's bounds; Android's releases differ.
   */
  private static Rect frameOf(Object[] arguments) {
    for (Object argument : arguments) {
      if (argument instanceof Rect frame) {
        return frame;
      }
      if (argument != null && argument.getClass().getSimpleName().equals("ClientWindowFrames")) {
        return ReflectionHelpers.getField(argument, "frame");
      }
      if (argument != null && argument.getClass().getSimpleName().equals("WindowRelayoutResult")) {
        return ReflectionHelpers.getField(ReflectionHelpers.getField(argument, "frames"), "frame");
      }
    }
    throw new IllegalStateException("the reply to a window's layout has no frame");
  }

  /** Makes a window as high as the display lower, or moves a dialog up to stay in the middle. */
  private static void makeRoomForKeyboard(LayoutParams params, Object[] arguments, int at) {
    LayoutParams moved = new LayoutParams();
    moved.copyFrom(params);
    if (params.height == LayoutParams.MATCH_PARENT) {
      moved.height = displayFrame(params).height() - keyboardHeight;
      moved.gravity = Gravity.TOP | Gravity.LEFT;
      // The width and height that the view asks for follow the parameters.
      arguments[at + 2] = moved.height;
    } else if ((params.gravity & Gravity.VERTICAL_GRAVITY_MASK) != Gravity.TOP) {
      moved.y -= keyboardHeight / 2;
    }
    arguments[at] = moved;
  }

  /**
   * Moves a panel's position from its parent's frame to the frame that Robolectric applies it to.
   */
  private static LayoutParams placeInParent(LayoutParams params) {
    Rect parent = isPanel(params) ? parentFrame(params) : null;
    if (parent == null) {
      return params;
    }
    Rect display = displayFrame(params);
    LayoutParams moved = new LayoutParams();
    moved.copyFrom(params);
    moved.x +=
        shift(
            params.gravity & Gravity.HORIZONTAL_GRAVITY_MASK,
            Gravity.LEFT,
            Gravity.RIGHT,
            parent.left,
            parent.right,
            display.left,
            display.right);
    moved.y +=
        shift(
            params.gravity & Gravity.VERTICAL_GRAVITY_MASK,
            Gravity.TOP,
            Gravity.BOTTOM,
            parent.top,
            parent.bottom,
            display.top,
            display.bottom);
    moved.width = params.width == LayoutParams.MATCH_PARENT ? parent.width() : params.width;
    moved.height = params.height == LayoutParams.MATCH_PARENT ? parent.height() : params.height;
    return moved;
  }

  private static int shift(
      int gravity, int low, int high, int parentLow, int parentHigh, int frameLow, int frameHigh) {
    if (gravity == low) {
      return parentLow - frameLow;
    }
    return gravity == high
        ? frameHigh - parentHigh
        : (parentLow + parentHigh - frameLow - frameHigh) / 2;
  }

  private static boolean isPanel(LayoutParams params) {
    return params.type >= LayoutParams.FIRST_SUB_WINDOW
        && params.type <= LayoutParams.LAST_SUB_WINDOW
        && (params.flags & LayoutParams.FLAG_LAYOUT_IN_SCREEN) == 0;
  }

  private static Rect parentFrame(LayoutParams panel) {
    List<View> views = ReflectionHelpers.getField(WindowManagerGlobal.getInstance(), "mViews");
    for (View view : views) {
      if (view.getWindowToken() == panel.token && view.getLayoutParams() != panel) {
        int[] at = new int[2];
        view.getLocationOnScreen(at);
        return new Rect(at[0], at[1], at[0] + view.getWidth(), at[1] + view.getHeight());
      }
    }
    return null;
  }

  private static Rect displayFrame(LayoutParams params) {
    Display display = ShadowDisplay.getDefaultDisplay();
    DisplayMetrics size = new DisplayMetrics();
    display.getRealMetrics(size);
    Rect frame = new Rect(0, 0, size.widthPixels, size.heightPixels);
    Class<?> systemUi =
        ReflectionHelpers.loadClass(
            ShadowWindowManagerGlobal.class.getClassLoader(), "org.robolectric.shadows.SystemUi");
    Object bars = ReflectionHelpers.callStaticMethod(systemUi, "systemUiForDefaultDisplay");
    ReflectionHelpers.callInstanceMethod(
        systemUi,
        bars,
        "adjustFrameForInsets",
        ClassParameter.from(LayoutParams.class, params),
        ClassParameter.from(Rect.class, frame));
    return frame;
  }
}
