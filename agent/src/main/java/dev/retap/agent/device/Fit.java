// Whether a widget fits where it is: a text that is cut, a widget that lies where nobody can see it. Said only
// where nothing speaks for intent (an ellipsis, a scroll, an animation, a container of the app's own).
package dev.retap.agent.device;

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

final class Fit {
  /** Our glyphs are not a phone's to the pixel: what overflows by less than this may fit there. */
  private static final float TOLERANCE = 1.15f;

  /** So much of a widget can be out of sight before anybody minds. */
  private static final double SEEN = 0.7;

  private Fit() {}

  /** Some of the text cannot be seen. */
  static boolean cutsText(TextView view) {
    Layout layout = view.getLayout();
    boolean meant =
        view instanceof EditText
            || view.getEllipsize() != null
            || view.getMovementMethod() != null
            || view.getAutoLinkMask() != 0;
    if (layout == null || meant || view.length() == 0 || view.getWidth() == 0) {
      return false;
    }
    int width =
        view.getWidth() - view.getCompoundPaddingLeft() - view.getCompoundPaddingRight();
    int height =
        view.getHeight() - view.getCompoundPaddingTop() - view.getCompoundPaddingBottom();
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

  /** It reaches beyond what can be seen, or something in it lies there altogether. */
  static boolean leavesScreen(View view) {
    if (offers(view) && isClipped(view) && isFixed(view)) {
      return true;
    }
    if (!(view instanceof ViewGroup group) || !isPlain(group)) {
      return false;
    }
    for (int i = 0; i < group.getChildCount(); i++) {
      View child = group.getChildAt(i);
      if (offers(child) && isHidden(child) && isFixed(child)) {
        return true;
      }
    }
    return false;
  }

  /** Somebody would want to touch or to read it. */
  private static boolean offers(View view) {
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
    Rect seen = new Rect();
    double area = (double) view.getWidth() * view.getHeight();
    return view.getGlobalVisibleRect(seen)
        && (double) seen.width() * seen.height() < SEEN * area;
  }

  /** Nothing moves it or could: plain containers all the way up, nothing shifted. */
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
