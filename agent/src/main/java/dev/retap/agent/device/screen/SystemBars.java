// The display and the bars that the system keeps on it.
package dev.retap.agent.device.screen;

import android.graphics.Rect;
import android.util.DisplayMetrics;
import android.view.View;
import android.view.WindowManager.LayoutParams;
import dev.retap.agent.device.reflect.FrameworkCalls;
import java.util.List;
import org.robolectric.shadows.ShadowDisplay;

public final class SystemBars {
  private SystemBars() {}

  /** Returns the bounds of the display. */
  public static Rect display() {
    DisplayMetrics size = metrics();
    return new Rect(0, 0, size.widthPixels, size.heightPixels);
  }

  public static float density() {
    return metrics().density;
  }

  /** Returns the bounds of the status bar, empty if a window hides it. */
  static Rect status(List<Window> windows) {
    Rect bar = display();
    bar.bottom = windows.stream().anyMatch(SystemBars::isFullScreen) ? 0 : size("getStatusBar");
    return bar;
  }

  /** Returns true if a touch goes to the system's bars and not to a window. */
  public static boolean takeTouch(int x, int y, List<Window> windows) {
    return status(windows).contains(x, y) || y >= display().bottom - size("getNavigationBar");
  }

  private static boolean isFullScreen(Window window) {
    int visibility = window.params().systemUiVisibility | window.view().getSystemUiVisibility();
    return window.kind() == WindowKind.ACTIVITY
        && (window.hasFlag(LayoutParams.FLAG_FULLSCREEN)
            || (visibility & View.SYSTEM_UI_FLAG_FULLSCREEN) != 0);
  }

  private static int size(String bar) {
    Object bars =
        FrameworkCalls.callStatic("org.robolectric.shadows.SystemUi", "systemUiForDefaultDisplay");
    Object shown = FrameworkCalls.call(bars, bar);
    return (Boolean) FrameworkCalls.call(shown, "isVisible")
        ? (Integer) FrameworkCalls.call(shown, "getSize")
        : 0;
  }

  private static DisplayMetrics metrics() {
    DisplayMetrics size = new DisplayMetrics();
    ShadowDisplay.getDefaultDisplay().getRealMetrics(size);
    return size;
  }
}
