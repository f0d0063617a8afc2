// Checks if a widget fits where it is: finds text that is cut and widgets that nobody can see.
// It reports only cases where nothing speaks for intent: no ellipsis, no scrolling, no
// animation, no container class of the app's own.
package dev.retap.agent.device.screen;

import android.graphics.Rect;
import android.text.Layout;
import android.view.View;
import android.view.ViewGroup;
import android.widget.AdapterView;
import android.widget.EditText;
import android.widget.HorizontalScrollView;
import android.widget.ScrollView;
import android.widget.SlidingDrawer;
import android.widget.TextView;

final class LayoutCheck {
  /** Overflow up to this factor is ignored, because our glyphs differ from a phone's by pixels. */
  private static final float TOLERANCE = 1.15f;

  /** The share of a widget that must be visible. */
  private static final double MIN_VISIBLE = 0.7;

  private LayoutCheck() {}

  /** Returns true if some of the text is not visible. */
  static boolean isTextCut(TextView view) {
    Layout layout = view.getLayout();
    boolean isIntended =
        view instanceof EditText
            || view.getEllipsize() != null
            || view.getMovementMethod() != null
            || view.getAutoLinkMask() != 0;
    if (layout == null || isIntended || view.length() == 0 || view.getWidth() == 0) {
      return false;
    }
    int width = view.getWidth() - view.getCompoundPaddingLeft() - view.getCompoundPaddingRight();
    int height = view.getHeight() - view.getCompoundPaddingTop() - view.getCompoundPaddingBottom();
    int most = view.getMaxLines();
    int lines = most < 0 ? layout.getLineCount() : Math.min(layout.getLineCount(), most);
    if (lines == 0 || width <= 0 || height <= 0) {
      return false;
    }
    float widest = 0;
    for (int line = 0; line < lines; line++) {
      widest = Math.max(widest, layout.getLineMax(line));
    }
    int half = view.getLineHeight() / 2;
    return widest > width * TOLERANCE || layout.getLineTop(lines) > height + half;
  }

  /** Returns true if the view is clipped, or if something in it lies where nobody can see it. */
  static boolean isOffScreen(View view) {
    if (isUseful(view) && isClipped(view) && isFixed(view)) {
      return true;
    }
    if (!(view instanceof ViewGroup group) || !isPlain(group)) {
      return false;
    }
    for (int i = 0; i < group.getChildCount(); i++) {
      View child = group.getChildAt(i);
      if (isUseful(child) && isHidden(child) && isFixed(child)) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if a user would want to touch or read the view. */
  private static boolean isUseful(View view) {
    return view.getVisibility() == View.VISIBLE
        && view.getAlpha() > 0
        && view.getWidth() > 0
        && view.getHeight() > 0
        && view.isEnabled()
        && (view.isClickable() || view instanceof TextView text && text.length() > 0);
  }

  private static boolean isHidden(View view) {
    return !view.getGlobalVisibleRect(new Rect());
  }

  private static boolean isClipped(View view) {
    Rect visible = new Rect();
    double area = (double) view.getWidth() * view.getHeight();
    return view.getGlobalVisibleRect(visible)
        && (double) visible.width() * visible.height() < MIN_VISIBLE * area;
  }

  /** Returns true if nothing moves the view: all its containers are plain and none is shifted. */
  private static boolean isFixed(View view) {
    View at = view;
    while (true) {
      if (at.getTranslationX() != 0 || at.getTranslationY() != 0 || at.getAnimation() != null) {
        return false;
      }
      if (!(at.getParent() instanceof View above)) {
        return true;
      }
      if (above.getVisibility() != View.VISIBLE
          || above.getScrollX() != 0
          || above.getScrollY() != 0
          || !(above instanceof ViewGroup group)
          || !isPlain(group)) {
        return false;
      }
      at = above;
    }
  }

  private static boolean isPlain(ViewGroup group) {
    if (group instanceof AdapterView<?>
        || group instanceof ScrollView
        || group instanceof HorizontalScrollView
        || group instanceof SlidingDrawer) {
      return false;
    }
    String name = group.getClass().getName();
    return name.startsWith("android.widget.")
        || name.startsWith("com.android.internal.")
        || name.startsWith("androidx.appcompat.widget.")
        || name.startsWith("androidx.constraintlayout.widget.");
  }
}
