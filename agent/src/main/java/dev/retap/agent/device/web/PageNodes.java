// The accessibility nodes of a page: one for each part, below the node of the web view.
package dev.retap.agent.device.web;

import android.graphics.Rect;
import android.view.View;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import android.webkit.WebView;

final class PageNodes extends AccessibilityNodeProvider {
  private final WebView view;
  private final Page page;
  private final PageLayout layout;

  PageNodes(WebView view, Page page, PageLayout layout) {
    this.view = view;
    this.page = page;
    this.layout = layout;
  }

  @Override
  public AccessibilityNodeInfo createAccessibilityNodeInfo(int id) {
    if (id != View.NO_ID) {
      return id < 0 || id >= page.parts().size() ? null : node(id, page.parts().get(id));
    }
    AccessibilityNodeInfo node = AccessibilityNodeInfo.obtain(view);
    view.onInitializeAccessibilityNodeInfo(node);
    for (int i = 0; i < page.parts().size(); i++) {
      node.addChild(view, i);
    }
    return node;
  }

  private AccessibilityNodeInfo node(int id, Page.Part part) {
    AccessibilityNodeInfo node = AccessibilityNodeInfo.obtain(view, id);
    boolean acts = part.kind() == Page.Kind.LINK || part.kind() == Page.Kind.BUTTON;
    node.setPackageName(view.getContext().getPackageName());
    node.setParent(view);
    node.setClassName(className(part.kind()));
    node.setText(page.textOf(part));
    node.setClickable(acts);
    node.setFocusable(acts);
    node.setEnabled(true);
    node.setVisibleToUser(true);
    int[] at = new int[2];
    view.getLocationOnScreen(at);
    Rect bounds = layout.bounds(part);
    bounds.offset(at[0] - view.getScrollX(), at[1] - view.getScrollY());
    node.setBoundsInScreen(bounds);
    return node;
  }

  private static String className(Page.Kind kind) {
    return switch (kind) {
      case BUTTON -> "android.widget.Button";
      case IMAGE -> "android.widget.Image";
      case FIELD -> "android.widget.EditText";
      case LINK -> "android.view.View";
      default -> "android.widget.TextView";
    };
  }
}
