// The focus, which the topmost window that can take it has. It tells windows when that changes,
// and the keyboard follows.
package dev.retap.agent.device.input;

import android.view.ViewRootImpl;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.screen.Overlay;
import dev.retap.agent.device.screen.Window;
import dev.retap.agent.shadow.ToastShadow;
import dev.retap.agent.shadow.WindowManagerGlobalShadow;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.shadows.ShadowWindowManagerGlobal;

public final class WindowFocus {
  private final SoftKeyboard keyboard = new SoftKeyboard();
  private ViewRootImpl focused;

  /** Starts with an empty screen, without the last process's toast and keyboard. */
  public WindowFocus() {
    ToastShadow.reset();
    WindowManagerGlobalShadow.setKeyboard(null, 0, 0);
  }

  public SoftKeyboard keyboard() {
    return keyboard;
  }

  /** Returns the topmost window that can take the focus, or null if there is none. */
  public static Window of(List<Window> windows) {
    for (int i = windows.size() - 1; i >= 0; i--) {
      if (windows.get(i).isFocusable()) {
        return windows.get(i);
      }
    }
    return null;
  }

  /**
   * Moves focus and keyboard; returns true if either moved and there is something to run. A window
   * gets the focus after its first layout, as on a phone.
   */
  public boolean update(List<Window> windows) {
    Window window = of(windows.stream().filter(Window::isLaidOut).toList());
    boolean moved = move(window == null ? null : window.root());
    return keyboard.update(window) || moved;
  }

  /** Returns what other processes show above the windows. */
  public List<Overlay> overlays(String packageName) {
    List<Overlay> overlays = new ArrayList<>();
    if (keyboard.isUp()) {
      overlays.add(Overlay.keyboard(keyboard.bounds()));
    }
    Overlay toast = Overlay.toast(packageName);
    if (toast != null) {
      overlays.add(toast);
    }
    return overlays;
  }

  private boolean move(ViewRootImpl next) {
    if (next == focused) {
      return false;
    }
    boolean touchMode = ShadowWindowManagerGlobal.getInTouchMode();
    if (focused != null && focused.getView() != null) {
      FrameworkCalls.call(focused, "windowFocusChanged", false, touchMode);
    }
    if (next != null) {
      FrameworkCalls.call(next, "windowFocusChanged", true, touchMode);
    }
    focused = next;
    return true;
  }
}
