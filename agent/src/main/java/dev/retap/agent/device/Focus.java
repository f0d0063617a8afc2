// Which window has the focus: the topmost that can take it. Tells windows when that changes, and
// lets the keyboard follow.
package dev.retap.agent.device;

import android.view.ViewRootImpl;
import dev.retap.agent.device.WindowList.Window;
import dev.retap.agent.shadow.ShownToast;
import dev.retap.agent.shadow.WindowSession;
import java.util.ArrayList;
import java.util.List;

final class Focus {
  final Keyboard keyboard = new Keyboard();
  private ViewRootImpl focused;

  /** A new process: nothing of the last one's is left on the screen. */
  Focus() {
    ShownToast.reset();
    WindowSession.setKeyboard(null, 0, 0);
  }

  Window of(List<Window> windows) {
    for (int i = windows.size() - 1; i >= 0; i--) {
      if (windows.get(i).focusable()) {
        return windows.get(i);
      }
    }
    return null;
  }

  /** Says whether focus or keyboard moved, in which case there is something to run. */
  boolean update(List<Window> windows) {
    Window window = of(windows);
    boolean moved = move(window == null ? null : window.root());
    return keyboard.update(window) || moved;
  }

  /** What other processes show above the windows. */
  List<Overlay> overlays(String packageName) {
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
    if (focused != null && focused.getView() != null) {
      ByType.call(focused, "windowFocusChanged", false, true);
    }
    if (next != null) {
      ByType.call(next, "windowFocusChanged", true, true);
    }
    focused = next;
    return true;
  }
}
