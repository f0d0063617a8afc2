// One window's widgets in pre-order, as uiautomator would show them: only what the user can see.
package dev.retap.agent.device;

import android.content.res.Resources;
import android.graphics.Rect;
import android.text.InputType;
import android.view.View;
import android.view.ViewGroup;
import android.widget.Checkable;
import android.widget.TextView;
import dev.retap.agent.wire.Packet;

final class WidgetTree {
  static final int CLICKABLE = 1;
  static final int LONG_CLICKABLE = 1 << 1;
  static final int SCROLLABLE = 1 << 2;
  static final int CHECKABLE = 1 << 3;
  static final int CHECKED = 1 << 4;
  static final int ENABLED = 1 << 5;
  static final int SELECTED = 1 << 6;
  static final int FOCUSABLE = 1 << 7;
  static final int FOCUSED = 1 << 8;
  static final int PASSWORD = 1 << 9;
  static final int EDITABLE = 1 << 10;
  static final int VISIBLE = 1 << 11;

  private final Packet out;
  private final int left;
  private final int top;

  private WidgetTree(Packet out, int left, int top) {
    this.out = out;
    this.left = left;
    this.top = top;
  }

  /** Appends the window's tree. */
  static void write(WindowList.Window window, Packet out) {
    int[] at = window.location();
    new WidgetTree(out, at[0], at[1]).widget(window.view());
  }

  private void widget(View view) {
    Rect bounds = new Rect();
    boolean visible = view.getGlobalVisibleRect(bounds);
    bounds.offset(left, top);
    TextView text = view instanceof TextView textView ? textView : null;
    out.string(view.getAccessibilityClassName())
        .string(resourceId(view))
        .string(text == null ? null : text.getText())
        .string(view.getContentDescription())
        .string(text == null ? null : text.getHint())
        .i32(bounds.left)
        .i32(bounds.top)
        .i32(bounds.right)
        .i32(bounds.bottom)
        .i32(flags(view, text) | (visible ? VISIBLE : 0));
    int countAt = out.size();
    int count = 0;
    out.u16(0);
    if (view instanceof ViewGroup group) {
      for (int i = 0; i < group.getChildCount(); i++) {
        View child = group.getChildAt(i);
        if (child.getVisibility() == View.VISIBLE && onScreen(child)) {
          widget(child);
          count++;
        }
      }
    }
    out.patch16(countAt, count);
  }

  private static boolean onScreen(View view) {
    return view.getGlobalVisibleRect(new Rect());
  }

  private static int flags(View view, TextView text) {
    int flags = 0;
    flags |= view.isClickable() ? CLICKABLE : 0;
    flags |= view.isLongClickable() ? LONG_CLICKABLE : 0;
    flags |= scrollable(view, text) ? SCROLLABLE : 0;
    if (view instanceof Checkable checkable) {
      flags |= CHECKABLE | (checkable.isChecked() ? CHECKED : 0);
    }
    flags |= view.isEnabled() ? ENABLED : 0;
    flags |= view.isSelected() ? SELECTED : 0;
    flags |= view.isFocusable() ? FOCUSABLE : 0;
    flags |= view.isFocused() ? FOCUSED : 0;
    if (text != null) {
      flags |= password(text.getInputType()) ? PASSWORD : 0;
      flags |= text.onCheckIsTextEditor() ? EDITABLE : 0;
    }
    return flags;
  }

  private static boolean scrollable(View view, TextView text) {
    return text == null
        && (view.canScrollVertically(1)
            || view.canScrollVertically(-1)
            || view.canScrollHorizontally(1)
            || view.canScrollHorizontally(-1));
  }

  private static boolean password(int inputType) {
    int variation = inputType & (InputType.TYPE_MASK_CLASS | InputType.TYPE_MASK_VARIATION);
    return variation == (InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_VARIATION_PASSWORD)
        || variation == (InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_VARIATION_WEB_PASSWORD)
        || variation == (InputType.TYPE_CLASS_NUMBER | InputType.TYPE_NUMBER_VARIATION_PASSWORD);
  }

  private static String resourceId(View view) {
    if (view.getId() == View.NO_ID || (view.getId() >>> 24) == 0) {
      return null;
    }
    try {
      return view.getResources().getResourceName(view.getId());
    } catch (Resources.NotFoundException e) {
      return null;
    }
  }
}
