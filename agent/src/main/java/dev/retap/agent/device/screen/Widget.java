// One widget as the protocol describes it: from its view, or from its accessibility node if it
// has one.
package dev.retap.agent.device.screen;

import android.content.res.Resources;
import android.graphics.Rect;
import android.view.View;
import android.view.accessibility.AccessibilityNodeInfo;
import android.widget.Adapter;
import android.widget.AdapterView;
import android.widget.CheckedTextView;
import android.widget.CompoundButton;
import android.widget.ListAdapter;
import android.widget.Spinner;
import android.widget.TextView;
import dev.retap.agent.wire.Packet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.robolectric.RuntimeEnvironment;

public record Widget(
    CharSequence type,
    String id,
    CharSequence text,
    CharSequence description,
    CharSequence hint,
    int flags) {
  /** Names of ids. They do not change while the app is installed and are expensive to look up. */
  private static final Map<Integer, String> IDS = new ConcurrentHashMap<>();

  private static final int CLICKABLE = 1;
  private static final int LONG_CLICKABLE = 1 << 1;
  private static final int SCROLLABLE = 1 << 2;
  private static final int CHECKABLE = 1 << 3;
  private static final int CHECKED = 1 << 4;
  private static final int ENABLED = 1 << 5;
  private static final int SELECTED = 1 << 6;
  private static final int FOCUSABLE = 1 << 7;
  private static final int FOCUSED = 1 << 8;
  private static final int PASSWORD = 1 << 9;
  private static final int EDITABLE = 1 << 10;
  private static final int VISIBLE = 1 << 11;
  private static final int TEXT_CUT = 1 << 12;
  private static final int OFF_SCREEN = 1 << 13;

  /** Some children are left out, because the screen has too many widgets. */
  static final int CHILDREN_CUT = 1 << 14;

  /** Describes a view. Getters that fail are the app's, and the rest of the view is told. */
  static Widget of(View view) {
    try {
      return read(view);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      return GuardedWidget.of(view);
    }
  }

  private static Widget read(View view) {
    TextView text = view instanceof TextView textView ? textView : null;
    return new Widget(
        view.getAccessibilityClassName(),
        id(view),
        text == null ? null : ShownText.text(text),
        view.getContentDescription(),
        text == null ? null : text.getHint(),
        flags(view, text));
  }

  /** Describes a view by its accessibility node, and by the view where the node says nothing. */
  static Widget of(View view, AccessibilityNodeInfo node) {
    Widget plain = of(view);
    boolean isText = view instanceof TextView;
    return new Widget(
        node.getClassName() == null ? plain.type : node.getClassName(),
        plain.id,
        isText ? plain.text : node.getText(),
        node.getContentDescription() == null ? plain.description : node.getContentDescription(),
        plain.hint,
        plain.flags & ~(CHECKABLE | CHECKED) | flags(node));
  }

  /** Describes a widget that has only an accessibility node; another view draws it. */
  static Widget of(AccessibilityNodeInfo node) {
    String id = node.getViewIdResourceName();
    return new Widget(
        node.getClassName(),
        id,
        node.getText(),
        node.getContentDescription(),
        RuntimeEnvironment.getApiLevel() >= 26 ? node.getHintText() : null,
        flags(node));
  }

  /** Writes the widget up to its flags. */
  void write(Packet out, Rect bounds, boolean visible, ScreenLimits limits) {
    out.string(limits.text(type))
        .string(id)
        .string(limits.text(text))
        .string(limits.text(description))
        .string(limits.text(hint))
        .i32(bounds.left)
        .i32(bounds.top)
        .i32(bounds.right)
        .i32(bounds.bottom)
        .i32(flags | (visible ? VISIBLE : 0));
  }

  /** Returns true if a user can act on the widget. */
  boolean takesTouch() {
    return (flags & ENABLED) != 0
        && (flags & (CLICKABLE | LONG_CLICKABLE | SCROLLABLE | EDITABLE)) != 0;
  }

  static int flags(View view, TextView text) {
    boolean row = isClickableRow(view);
    int flags = flag(view.isClickable() || row, CLICKABLE);
    flags |= flag(view.isLongClickable() || row && isLongClickableRow(view), LONG_CLICKABLE);
    flags |= flag(text == null && canScroll(view), SCROLLABLE);
    if (view instanceof CompoundButton button) {
      flags |= CHECKABLE | flag(button.isChecked(), CHECKED);
    } else if (view instanceof CheckedTextView label) {
      flags |= CHECKABLE | flag(label.isChecked(), CHECKED);
    }
    flags |= flag(view.isEnabled(), ENABLED) | flag(view.isSelected(), SELECTED);
    flags |= flag(view.isFocusable(), FOCUSABLE) | flag(view.isFocused(), FOCUSED);
    if (text != null) {
      flags |= flag(ShownText.isPassword(text), PASSWORD);
      flags |= flag(text.onCheckIsTextEditor(), EDITABLE);
      flags |= flag(LayoutCheck.isTextCut(text), TEXT_CUT);
    }
    return flags | flag(LayoutCheck.isOffScreen(view), OFF_SCREEN);
  }

  private static int flags(AccessibilityNodeInfo node) {
    return flag(node.isClickable(), CLICKABLE)
        | flag(node.isLongClickable(), LONG_CLICKABLE)
        | flag(node.isScrollable(), SCROLLABLE)
        | flag(node.isCheckable(), CHECKABLE)
        | flag(node.isChecked(), CHECKED)
        | flag(node.isEnabled(), ENABLED)
        | flag(node.isSelected(), SELECTED)
        | flag(node.isFocusable(), FOCUSABLE)
        | flag(node.isFocused(), FOCUSED)
        | flag(node.isPassword(), PASSWORD)
        | flag(node.isEditable(), EDITABLE);
  }

  private static int flag(boolean set, int flag) {
    return set ? flag : 0;
  }

  /** Returns true for a row of a list that takes touches for it. A focusable row takes its own. */
  private static boolean isClickableRow(View view) {
    if (!(view.getParent() instanceof AdapterView<?> list)
        || list instanceof Spinner
        || !list.isEnabled()
        || view.hasFocusable()) {
      return false;
    }
    int position = list.getPositionForView(view);
    Adapter adapter = list.getAdapter();
    return position != AdapterView.INVALID_POSITION
        && (list.isClickable() || list.getOnItemClickListener() != null)
        && (!(adapter instanceof ListAdapter rows)
            || position < rows.getCount() && rows.isEnabled(position));
  }

  private static boolean isLongClickableRow(View row) {
    return ((View) row.getParent()).isLongClickable();
  }

  private static boolean canScroll(View view) {
    return view.canScrollVertically(1)
        || view.canScrollVertically(-1)
        || view.canScrollHorizontally(1)
        || view.canScrollHorizontally(-1);
  }

  static String id(View view) {
    int id = view.getId();
    return id == View.NO_ID || (id >>> 24) == 0
        ? null
        : IDS.computeIfAbsent(id, number -> name(view, number));
  }

  private static String name(View view, int id) {
    try {
      return view.getResources().getResourceName(id);
    } catch (Resources.NotFoundException e) {
      return "";
    }
  }
}
