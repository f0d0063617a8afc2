// One window on the screen, with the view root that lays it out and takes its input.
package dev.retap.agent.device.screen;

import android.view.View;
import android.view.ViewRootImpl;
import android.view.WindowManager.LayoutParams;
import dev.retap.agent.device.reflect.FrameworkFields;

public record Window(
    ViewRootImpl root, View view, LayoutParams params, WindowKind kind, int layer) {
  public boolean isTouchable() {
    return !hasFlag(LayoutParams.FLAG_NOT_TOUCHABLE) && kind != WindowKind.TOAST;
  }

  public boolean isFocusable() {
    return !hasFlag(LayoutParams.FLAG_NOT_FOCUSABLE) && kind != WindowKind.TOAST;
  }

  /** Returns true if the window was laid out at least once; before, the system cannot show it. */
  public boolean isLaidOut() {
    return !(Boolean) FrameworkFields.get(root, "mFirst");
  }

  /** Returns true if the next frame lays out the window anew. */
  public boolean isLayoutDue() {
    return view.isLayoutRequested();
  }

  /** Returns true if no touch gets past this window to those below it. */
  public boolean isModal() {
    return !hasFlag(LayoutParams.FLAG_NOT_TOUCH_MODAL | LayoutParams.FLAG_NOT_FOCUSABLE);
  }

  /** Returns true if the window belongs to another, as a popup does. */
  public boolean isPanel() {
    return params.type >= LayoutParams.FIRST_SUB_WINDOW
        && params.type <= LayoutParams.LAST_SUB_WINDOW;
  }

  /** Returns true if any of these layout flags is set. */
  public boolean hasFlag(int flags) {
    return (params.flags & flags) != 0;
  }

  /** Returns the left and top edges on the screen. */
  public int[] location() {
    int[] location = new int[2];
    view.getLocationOnScreen(location);
    return location;
  }

  public boolean contains(int x, int y) {
    int[] at = location();
    return x >= at[0] && y >= at[1] && x < at[0] + view.getWidth() && y < at[1] + view.getHeight();
  }
}
