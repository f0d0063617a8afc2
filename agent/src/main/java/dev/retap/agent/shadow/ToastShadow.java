// Keeps the toasts and the times at which they are on the screen: one after the other, as on a
// phone.
package dev.retap.agent.shadow;

import android.content.Context;
import android.os.SystemClock;
import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;
import android.widget.Toast;
import java.util.ArrayDeque;
import java.util.Deque;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.annotation.Resetter;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowToast;

@Implements(Toast.class)
public class ToastShadow extends ShadowToast {
  private static final int SHORT_MILLIS = 2_000;
  private static final int LONG_MILLIS = 3_500;

  /** The number of toasts that a phone queues for one app; more are not shown. */
  private static final int MOST = 50;

  private static final Deque<ToastShadow> QUEUE = new ArrayDeque<>();

  @RealObject private Toast toast;
  private String text;
  private long shownFrom;
  private long shownUntil;

  /** Returns the text on the screen now, or null. */
  public static String current() {
    synchronized (QUEUE) {
      long now = SystemClock.uptimeMillis();
      QUEUE.removeIf(queued -> queued.shownUntil <= now || queued.isCancelled());
      ToastShadow first = QUEUE.peekFirst();
      return first == null || first.shownFrom > now ? null : first.text;
    }
  }

  @Resetter
  public static void reset() {
    synchronized (QUEUE) {
      QUEUE.clear();
    }
  }

  @Implementation
  protected static Toast makeText(Context context, int text, int duration) {
    return makeText(context, context.getResources().getText(text), duration);
  }

  @Implementation
  protected static Toast makeText(Context context, CharSequence text, int duration) {
    CharSequence shown = text == null ? "" : text;
    Toast made = ShadowToast.makeText(context, shown, duration);
    Shadow.<ToastShadow>extract(made).text = shown.toString();
    return made;
  }

  @Implementation
  protected void setText(CharSequence changed) {
    super.setText(changed);
    text = String.valueOf(changed);
  }

  @Implementation
  protected void show() {
    super.show();
    synchronized (QUEUE) {
      if (QUEUE.contains(this) || QUEUE.size() >= MOST) {
        return;
      }
      if (text == null && toast.getView() != null) {
        text = findText(toast.getView());
      }
      ToastShadow last = QUEUE.peekLast();
      shownFrom = Math.max(SystemClock.uptimeMillis(), last == null ? 0 : last.shownUntil);
      shownUntil =
          shownFrom + (toast.getDuration() == Toast.LENGTH_LONG ? LONG_MILLIS : SHORT_MILLIS);
      QUEUE.add(this);
    }
  }

  private static String findText(View view) {
    if (view instanceof TextView label) {
      return String.valueOf(label.getText());
    }
    if (view instanceof ViewGroup group) {
      for (int i = 0; i < group.getChildCount(); i++) {
        String found = findText(group.getChildAt(i));
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }
}
