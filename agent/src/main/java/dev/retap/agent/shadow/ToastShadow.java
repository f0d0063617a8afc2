// Keeps the toasts that are shown and the times at which they are on the screen: one after the
// other, as on a phone. Everything else about a toast is the framework's own code.
package dev.retap.agent.shadow;

import static org.robolectric.util.reflector.Reflector.reflector;

import android.os.SystemClock;
import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;
import android.widget.Toast;
import java.util.ArrayDeque;
import java.util.Deque;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.util.reflector.Accessor;
import org.robolectric.util.reflector.ForType;

@Implements(Toast.class)
public class ToastShadow {
  private static final int SHORT_MILLIS = 2_000;
  private static final int LONG_MILLIS = 3_500;

  /** The number of toasts that a phone queues for one app; more are not shown. */
  private static final int MOST = 50;

  private static final int FIRST_WITH_TEXT_TOASTS = 30;

  private static final Deque<ToastShadow> QUEUE = new ArrayDeque<>();

  @RealObject private Toast toast;
  private String text;
  private boolean cancelled;
  private long shownFrom;
  private long shownUntil;

  /** Returns the text on the screen now, or null. */
  public static String current() {
    synchronized (QUEUE) {
      long now = SystemClock.uptimeMillis();
      QUEUE.removeIf(queued -> queued.shownUntil <= now || queued.cancelled);
      ToastShadow first = QUEUE.peekFirst();
      return first == null || first.shownFrom > now ? null : first.text;
    }
  }

  /** Forgets the toasts of the process that has ended. */
  public static void reset() {
    synchronized (QUEUE) {
      QUEUE.clear();
    }
  }

  @Implementation
  protected void show() {
    String content = content();
    synchronized (QUEUE) {
      QUEUE.removeIf(queued -> queued.shownUntil <= SystemClock.uptimeMillis());
      text = content;
      cancelled = false;
      if (QUEUE.contains(this) || QUEUE.size() >= MOST) {
        return;
      }
      ToastShadow last = QUEUE.peekLast();
      shownFrom = Math.max(SystemClock.uptimeMillis(), last == null ? 0 : last.shownUntil);
      shownUntil =
          shownFrom + (toast.getDuration() == Toast.LENGTH_LONG ? LONG_MILLIS : SHORT_MILLIS);
      QUEUE.add(this);
    }
  }

  @Implementation
  protected void cancel() {
    cancelled = true;
  }

  /** Returns the text to show, or refuses an empty toast in this release's words. */
  private String content() {
    View view = toast.getView();
    if (view != null) {
      return findText(view);
    }
    if (RuntimeEnvironment.getApiLevel() < FIRST_WITH_TEXT_TOASTS) {
      throw new RuntimeException("setView must have been called");
    }
    CharSequence shown = reflector(ToastFields.class, toast).getText();
    if (shown == null) {
      throw new IllegalStateException("You must either set a text or a view");
    }
    return shown.toString();
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

  @ForType(Toast.class)
  private interface ToastFields {
    @Accessor("mText")
    CharSequence getText();
  }
}
