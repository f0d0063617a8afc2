// The soft keyboard. It is up while a text field that asked for it has the focus. It takes the
// lower part of the screen from the window it types into, and Back closes it before anything
// else.
package dev.retap.agent.device.input;

import android.content.Context;
import android.graphics.Rect;
import android.view.KeyEvent;
import android.view.View;
import android.view.ViewRootImpl;
import android.view.WindowManager.LayoutParams;
import android.view.WindowManagerGlobal;
import android.view.inputmethod.InputMethodManager;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.device.screen.SystemBars;
import dev.retap.agent.device.screen.Window;
import dev.retap.agent.shadow.WindowManagerGlobalShadow;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowInputMethodManager;

public final class SoftKeyboard {
  private ViewRootImpl window;
  private ViewRootImpl typesInto;
  private int pan;

  /** Returns true if it is up. A window that went with the last event has taken it along. */
  public boolean isUp() {
    return typesInto != null && typesInto.getView() != null;
  }

  public Rect bounds() {
    Rect display = SystemBars.display();
    int height = display.height() * (display.width() < display.height() ? 40 : 50) / 100;
    return new Rect(0, display.bottom - height, display.right, display.bottom);
  }

  /** Follows the focus; returns true if the keyboard came or went and windows need layout. */
  boolean update(Window focused) {
    ViewRootImpl root = focused == null ? null : focused.root();
    if (root != window) {
      window = root;
      enter(focused);
    }
    ViewRootImpl next = focused != null && isRequested(focused.view()) ? root : null;
    int newPan = next == null ? 0 : hiddenHeight(focused.view().findFocus());
    if (next == typesInto && newPan == pan) {
      return false;
    }
    ViewRootImpl former = typesInto;
    typesInto = next;
    pan = newPan;
    Object target = next == null ? null : FrameworkFields.get(next, "mWindow");
    WindowManagerGlobalShadow.setKeyboard(target, next == null ? 0 : bounds().height(), pan);
    if (former != next) {
      layOut(former);
    }
    layOut(next);
    return true;
  }

  /** Returns how far the window must move up to show a field at its bottom. */
  private int hiddenHeight(View field) {
    int[] inWindow = new int[2];
    field.getLocationInWindow(inWindow);
    Rect keys = bounds();
    return Math.max(0, Math.min(keys.height(), inWindow[1] + field.getHeight() - keys.top));
  }

  /** Returns true if the keyboard takes the key: Back closes it, Enter is its action key. */
  boolean takesKey(int key) {
    View view = typesInto.getView();
    if (key == KeyEvent.KEYCODE_ENTER) {
      return TextEntry.performAction(view);
    }
    if (key != KeyEvent.KEYCODE_BACK) {
      return false;
    }
    // The field may take the key first.
    boolean down = view.dispatchKeyEventPreIme(new KeyEvent(KeyEvent.ACTION_DOWN, key));
    if (!view.dispatchKeyEventPreIme(new KeyEvent(KeyEvent.ACTION_UP, key)) && !down) {
      input(view).hideSoftInputFromWindow(view.getWindowToken(), 0);
    }
    return true;
  }

  /** Shows the keyboard for a window that came to the front only if it was declared to. */
  private static void enter(Window focused) {
    if (focused == null) {
      return;
    }
    View view = focused.view();
    int state = focused.params().softInputMode & LayoutParams.SOFT_INPUT_MASK_STATE;
    View field = view.findFocus();
    boolean shows =
        state == LayoutParams.SOFT_INPUT_STATE_VISIBLE
            || state == LayoutParams.SOFT_INPUT_STATE_ALWAYS_VISIBLE;
    if (shows && field != null && field.onCheckIsTextEditor()) {
      input(view).showSoftInput(field, 0);
    } else if (state != LayoutParams.SOFT_INPUT_STATE_UNCHANGED && !focused.isPanel()) {
      input(view).hideSoftInputFromWindow(view.getWindowToken(), 0);
    }
  }

  private static boolean isRequested(View view) {
    View field = view.findFocus();
    return field != null
        && field.onCheckIsTextEditor()
        && Shadow.<ShadowInputMethodManager>extract(input(view)).isSoftInputVisible();
  }

  private static InputMethodManager input(View view) {
    return (InputMethodManager) view.getContext().getSystemService(Context.INPUT_METHOD_SERVICE);
  }

  private static void layOut(ViewRootImpl root) {
    View view = root == null ? null : root.getView();
    if (view != null && view.getLayoutParams() instanceof LayoutParams params) {
      WindowManagerGlobal.getInstance().updateViewLayout(view, params);
    }
  }
}
