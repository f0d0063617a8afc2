// Toasts with the time they are on the screen: one after the other, as the phone shows them.
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

  /** As many as the phone keeps waiting for one app; more are not shown. */
  private static final int MOST = 50;

  private static final Deque<ToastShadow> QUEUE = new ArrayDeque<>();

  @RealObject private Toast toast;
  private String words;
  private long from;
  private long until;

  /** The text on the screen now, null for none. */
  public static String current() {
    synchronized (QUEUE) {
      long now = SystemClock.uptimeMillis();
      QUEUE.removeIf(shown -> shown.until <= now || shown.isCancelled());
      ToastShadow first = QUEUE.peekFirst();
      return first == null || first.from > now ? null : first.words;
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
    CharSequence words = text == null ? "" : text;
    Toast made = ShadowToast.makeText(context, words, duration);
    Shadow.<ToastShadow>extract(made).words = words.toString();
    return made;
  }

  @Implementation
  protected void setText(CharSequence text) {
    super.setText(text);
    words = String.valueOf(text);
  }

  @Implementation
  protected void show() {
    super.show();
    synchronized (QUEUE) {
      if (QUEUE.contains(this) || QUEUE.size() >= MOST) {
        return;
      }
      if (words == null && toast.getView() != null) {
        words = firstText(toast.getView());
      }
      ToastShadow last = QUEUE.peekLast();
      from = Math.max(SystemClock.uptimeMillis(), last == null ? 0 : last.until);
      until = from + (toast.getDuration() == Toast.LENGTH_LONG ? LONG_MILLIS : SHORT_MILLIS);
      QUEUE.add(this);
    }
  }

  private static String firstText(View view) {
    if (view instanceof TextView text) {
      return String.valueOf(text.getText());
    }
    if (view instanceof ViewGroup group) {
      for (int i = 0; i < group.getChildCount(); i++) {
        String found = firstText(group.getChildAt(i));
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }
}
