// One window's widgets in pre-order, as uiautomator would show them: only what the user can see.
// Plain views are read directly; where accessibility says more (Accessible), it is asked.
package dev.retap.agent.device;

import android.graphics.Rect;
import android.view.View;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import dev.retap.agent.wire.Packet;

final class WidgetTree {
  private final Packet out;
  private final int left;
  private final int top;
  private final int lowest;
  private final VirtualWidgets virtual;
  private boolean takesTouch;

  private WidgetTree(Packet out, int left, int top, int lowest) {
    this.out = out;
    this.left = left;
    this.top = top;
    this.lowest = lowest;
    this.virtual = new VirtualWidgets(out);
  }

  /**
   * Appends the window's tree; what lies below the given line is covered by the keyboard. Says
   * whether anything in it takes a touch.
   */
  static boolean write(WindowList.Window window, int lowest, Packet out) {
    int[] at = window.location();
    WidgetTree tree = new WidgetTree(out, at[0], at[1], lowest);
    tree.widget(window.view(), tree.seen(window.view()));
    return tree.takesTouch || tree.virtual.takesTouch();
  }

  private void widget(View view, Rect seen) {
    AccessibilityNodeProvider provider = Accessible.provider(view);
    AccessibilityNodeInfo node = Accessible.node(view, provider);
    Widget widget = node == null ? Widget.of(view) : Widget.of(view, node);
    widget.write(out, seen == null ? new Rect() : seen, seen != null);
    takesTouch |= seen != null && widget.takesTouch();
    int countAt = out.size();
    int count = 0;
    out.u16(0);
    if (provider != null && node != null && seen != null) {
      count += virtual.children(provider, node, seen);
    }
    if (view instanceof ViewGroup group) {
      for (int i = 0; i < group.getChildCount(); i++) {
        View child = group.getChildAt(i);
        Rect part = child.getVisibility() == View.VISIBLE ? seen(child) : null;
        if (part != null && child.getAlpha() > 0) {
          widget(child, part);
          count++;
        }
      }
    }
    out.patch16(countAt, count);
  }

  /** The part of a view that is on the screen, null when there is none. */
  private Rect seen(View view) {
    Rect bounds = new Rect();
    if (!view.getGlobalVisibleRect(bounds)) {
      return null;
    }
    bounds.offset(left, top);
    bounds.top = Math.max(bounds.top, 0);
    bounds.bottom = Math.min(bounds.bottom, lowest);
    return bounds.isEmpty() ? null : bounds;
  }
}
