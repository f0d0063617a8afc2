// Writes the widgets of one window in pre-order, as uiautomator shows them: only what the user
// can see. Views are read directly, and their accessibility nodes are asked where those say
// more.
package dev.retap.agent.device.screen;

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
  private final int bottom;
  private final ScreenLimits limits;
  private final VirtualWidgets virtual;
  private boolean takesTouch;

  private WidgetTree(Packet out, int left, int top, int bottom, ScreenLimits limits) {
    this.out = out;
    this.left = left;
    this.top = top;
    this.bottom = bottom;
    this.limits = limits;
    this.virtual = new VirtualWidgets(out, limits);
  }

  /**
   * Writes the window's tree; returns true if anything in it takes a touch.
   *
   * @param bottom the lowest line that the keyboard leaves visible
   */
  static boolean write(Window window, int bottom, Packet out, ScreenLimits limits) {
    int[] at = window.location();
    WidgetTree tree = new WidgetTree(out, at[0], at[1], bottom, limits);
    limits.takeWidget();
    tree.writeWidget(window.view(), tree.visiblePart(window.view()), 0);
    return tree.takesTouch || tree.virtual.takesTouch();
  }

  private void writeWidget(View view, Rect visible, int depth) {
    AccessibilityNodeProvider provider = AccessibilityNodes.provider(view);
    AccessibilityNodeInfo node = AccessibilityNodes.node(view, provider);
    Widget widget = node == null ? Widget.of(view) : Widget.of(view, node);
    widget.write(out, visible == null ? new Rect() : visible, visible != null, limits);
    takesTouch |= visible != null && widget.takesTouch();
    int countAt = out.size();
    int count = 0;
    out.u16(0);
    if (provider != null && node != null && visible != null) {
      count += virtual.writeChildren(provider, node, visible);
    }
    if (view instanceof ViewGroup group) {
      int children = GuardedWidget.get(group::getChildCount, 0);
      for (int i = 0; i < children; i++) {
        int index = i;
        View child = GuardedWidget.get(() -> group.getChildAt(index), null);
        Rect part = child == null ? null : GuardedWidget.get(() -> shownPart(child), null);
        if (part == null) {
          continue;
        }
        if (depth == ScreenLimits.MAX_DEPTH
            || count >= ScreenLimits.MAX_CHILDREN
            || !limits.takeWidget()) {
          out.setFlag(countAt - Integer.BYTES, Widget.CHILDREN_CUT);
          break;
        }
        writeWidget(child, part, depth + 1);
        count++;
      }
    }
    out.patch16(countAt, count);
  }

  /** Returns the part of a child that the user can see, or null if there is none. */
  private Rect shownPart(View child) {
    Rect part = child.getVisibility() == View.VISIBLE ? visiblePart(child) : null;
    return part != null && child.getAlpha() > 0 ? part : null;
  }

  /** Returns the part of a view that is on the screen, or null if there is none. */
  private Rect visiblePart(View view) {
    Rect bounds = new Rect();
    if (!view.getGlobalVisibleRect(bounds)) {
      return null;
    }
    bounds.offset(left, top);
    bounds.top = Math.max(bounds.top, 0);
    bounds.bottom = Math.min(bounds.bottom, bottom);
    return bounds.isEmpty() ? null : bounds;
  }
}
