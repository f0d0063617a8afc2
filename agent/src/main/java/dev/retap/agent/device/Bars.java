// The display and the bars the system keeps on it: where they are and what they take.
package dev.retap.agent.device;

import android.graphics.Rect;
import android.util.DisplayMetrics;
import android.view.View;
import android.view.WindowManager.LayoutParams;
import dev.retap.agent.device.WindowList.Window;
import java.util.List;
import org.robolectric.shadows.ShadowDisplay;

final class Bars {
  private Bars() {}

  static Rect display() {
    DisplayMetrics size = metrics();
    return new Rect(0, 0, size.widthPixels, size.heightPixels);
  }

  static float density() {
    return metrics().density;
  }

  /** The status bar; empty when the window in front hides it. */
  static Rect status(List<Window> windows) {
    Rect bar = display();
    bar.bottom = windows.stream().anyMatch(Bars::isFullScreen) ? 0 : size("getStatusBar");
    return bar;
  }

  /** Whether a touch belongs to the system and not to a window. */
  static boolean take(int x, int y, List<Window> windows) {
    return status(windows).contains(x, y) || y >= display().bottom - size("getNavigationBar");
  }

  private static boolean isFullScreen(Window window) {
    int visibility = window.params().systemUiVisibility | window.view().getSystemUiVisibility();
    return window.kind() == WindowList.Kind.ACTIVITY
        && ((window.params().flags & LayoutParams.FLAG_FULLSCREEN) != 0
            || (visibility & View.SYSTEM_UI_FLAG_FULLSCREEN) != 0);
  }

  private static int size(String bar) {
    Object bars =
        ByType.callStatic("org.robolectric.shadows.SystemUi", "systemUiForDefaultDisplay");
    Object shown = ByType.call(bars, bar);
    return (Boolean) ByType.call(shown, "isVisible") ? (Integer) ByType.call(shown, "getSize") : 0;
  }

  private static DisplayMetrics metrics() {
    DisplayMetrics size = new DisplayMetrics();
    ShadowDisplay.getDefaultDisplay().getRealMetrics(size);
    return size;
  }
}
