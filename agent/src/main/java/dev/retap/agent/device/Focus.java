// Which window has the focus: the topmost that can take it. Tells windows when that changes.
package dev.retap.agent.device;

import android.view.ViewRootImpl;
import dev.retap.agent.device.WindowList.Window;
import java.util.List;

final class Focus {
  private ViewRootImpl focused;

  Window of(List<Window> windows) {
    for (int i = windows.size() - 1; i >= 0; i--) {
      if (windows.get(i).focusable()) {
        return windows.get(i);
      }
    }
    return null;
  }

  /** Says whether the focus moved, in which case there is something to run. */
  boolean update(List<Window> windows) {
    Window window = of(windows);
    ViewRootImpl next = window == null ? null : window.root();
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
