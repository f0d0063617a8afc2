// Widgets without views of their own, which Compose, calendars and custom views offer through an
// accessibility node provider.
package dev.retap.agent.device.screen;

import android.graphics.Rect;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.wire.Packet;

final class VirtualWidgets {
  /** Deeper than any real screen. The limit stops a provider that makes a node its own child. */
  private static final int MAX_DEPTH = 100;

  private final Packet out;
  private final ScreenLimits limits;
  private boolean takesTouch;

  VirtualWidgets(Packet out, ScreenLimits limits) {
    this.out = out;
    this.limits = limits;
  }

  boolean takesTouch() {
    return takesTouch;
  }

  /** Writes a node's descendants; returns the number of its children. */
  int writeChildren(AccessibilityNodeProvider provider, AccessibilityNodeInfo node, Rect within) {
    return writeChildren(provider, node, within, 0);
  }

  private int writeChildren(
      AccessibilityNodeProvider provider, AccessibilityNodeInfo node, Rect within, int depth) {
    int count = 0;
    for (int i = 0; depth < MAX_DEPTH && i < node.getChildCount(); i++) {
      AccessibilityNodeInfo child = child(provider, node, i);
      Rect bounds = new Rect();
      if (child == null) {
        continue;
      }
      child.getBoundsInScreen(bounds);
      if (!child.isVisibleToUser() || !bounds.intersect(within)) {
        continue;
      }
      if (!limits.takeWidget()) {
        break;
      }
      Widget widget = Widget.of(child);
      widget.write(out, bounds, true, limits);
      takesTouch |= widget.takesTouch();
      int countAt = out.size();
      out.u16(0);
      out.patch16(countAt, writeChildren(provider, child, bounds, depth + 1));
      count++;
    }
    return count;
  }

  /** Returns null for a child that fails or is a real view, which the tree of views has. */
  private static AccessibilityNodeInfo child(
      AccessibilityNodeProvider provider, AccessibilityNodeInfo node, int index) {
    long id = (Long) FrameworkCalls.call(node, "getChildId", index);
    int virtualId = (int) (id >> 32);
    // The id of a host view is Integer.MAX_VALUE in old releases and -1 in new ones.
    if (virtualId == -1 || virtualId == Integer.MAX_VALUE) {
      return null;
    }
    try {
      return provider.createAccessibilityNodeInfo(virtualId);
    } catch (RuntimeException | LinkageError e) {
      return null;
    }
  }
}
