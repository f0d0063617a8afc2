// The soft keyboard: up while a text field that asked for it has the focus. It takes the lower part
// of the screen from the window it types into, and Back closes it before anything else.
package dev.retap.agent.device;

import android.content.Context;
import android.graphics.Rect;
import android.view.KeyEvent;
import android.view.View;
import android.view.ViewRootImpl;
import android.view.WindowManager.LayoutParams;
import android.view.WindowManagerGlobal;
import android.view.inputmethod.InputMethodManager;
import dev.retap.agent.device.WindowList.Window;
import dev.retap.agent.shadow.WindowSession;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowInputMethodManager;

final class Keyboard {
  private ViewRootImpl window;
  private ViewRootImpl typesInto;
  private int pan;

  boolean isUp() {
    return typesInto != null;
  }

  Rect bounds() {
    Rect display = Bars.display();
    int height = display.height() * (display.width() < display.height() ? 40 : 50) / 100;
    return new Rect(0, display.bottom - height, display.right, display.bottom);
  }

  /** Follows the focus; says whether the keyboard came or went, in which case there is layout. */
  boolean update(Window focused) {
    ViewRootImpl root = focused == null ? null : focused.root();
    if (root != window) {
      window = root;
      enter(focused);
    }
    ViewRootImpl next = focused != null && isAsked(focused.view()) ? root : null;
    int upwards = next == null ? 0 : hidden(focused.view().findFocus());
    if (next == typesInto && upwards == pan) {
      return false;
    }
    ViewRootImpl former = typesInto;
    typesInto = next;
    pan = upwards;
    Object target = next == null ? null : ByType.get(next, "mWindow");
    WindowSession.setKeyboard(target, next == null ? 0 : bounds().height(), pan);
    if (former != next) {
      layOut(former);
    }
    layOut(next);
    return true;
  }

  /** How much of its window must move for a field at the bottom to be seen. */
  private int hidden(View field) {
    int[] inWindow = new int[2];
    field.getLocationInWindow(inWindow);
    Rect keys = bounds();
    return Math.max(0, Math.min(keys.height(), inWindow[1] + field.getHeight() - keys.top));
  }

  /** Whether a key is the keyboard's business: Back closes it, Enter is its action key. */
  boolean takes(int key) {
    View view = typesInto.getView();
    if (key == KeyEvent.KEYCODE_ENTER) {
      return Typing.act(view);
    }
    if (key != KeyEvent.KEYCODE_BACK) {
      return false;
    }
    // The field may want it first.
    boolean down = view.dispatchKeyEventPreIme(new KeyEvent(KeyEvent.ACTION_DOWN, key));
    if (!view.dispatchKeyEventPreIme(new KeyEvent(KeyEvent.ACTION_UP, key)) && !down) {
      input(view).hideSoftInputFromWindow(view.getWindowToken(), 0);
    }
    return true;
  }

  /** A window that comes to the front shows the keyboard only if it was declared to. */
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

  private static boolean isAsked(View view) {
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
