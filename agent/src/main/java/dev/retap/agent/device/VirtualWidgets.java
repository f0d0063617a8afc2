// Widgets that have no view of their own: what Compose, calendars and custom views offer through
// an accessibility node provider.
package dev.retap.agent.device;

import android.graphics.Rect;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import dev.retap.agent.wire.Packet;

final class VirtualWidgets {
  /** Deeper than any real screen; a provider may claim a node to be its own child. */
  private static final int DEEPEST = 100;

  private final Packet out;
  private boolean takesTouch;

  VirtualWidgets(Packet out) {
    this.out = out;
  }

  boolean takesTouch() {
    return takesTouch;
  }

  /** Appends a node's children with theirs; answers how many children there were. */
  int children(AccessibilityNodeProvider provider, AccessibilityNodeInfo node, Rect within) {
    return children(provider, node, within, 0);
  }

  private int children(
      AccessibilityNodeProvider provider, AccessibilityNodeInfo node, Rect within, int depth) {
    int count = 0;
    for (int i = 0; depth < DEEPEST && i < node.getChildCount(); i++) {
      AccessibilityNodeInfo child = child(provider, node, i);
      Rect bounds = new Rect();
      if (child == null) {
        continue;
      }
      child.getBoundsInScreen(bounds);
      if (!child.isVisibleToUser() || !bounds.intersect(within)) {
        continue;
      }
      Widget widget = Widget.of(child);
      widget.write(out, bounds, true);
      takesTouch |= widget.takesTouch();
      int countAt = out.size();
      out.u16(0);
      out.patch16(countAt, children(provider, child, bounds, depth + 1));
      count++;
    }
    return count;
  }

  /** Null for a child that is a real view, which the tree of views shows, and for one that fails. */
  private static AccessibilityNodeInfo child(
      AccessibilityNodeProvider provider, AccessibilityNodeInfo node, int index) {
    long id = (Long) ByType.call(node, "getChildId", index);
    int virtualId = (int) (id >> 32);
    // A host view's id was Integer.MAX_VALUE before it was -1.
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
