// Tells an app that a frame has been shown. On a phone the render thread does so, some milliseconds
// after a window was drawn, and the window's thread runs what waited for it before anything else.
package dev.retap.agent.shadow.renderer;

import static org.robolectric.util.reflector.Reflector.reflector;

import android.os.Handler;
import android.os.Message;
import android.view.ViewTreeObserver;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.util.reflector.ForType;

public final class FrameCommits {
  private static final int FIRST_WITH_COMMITS = 29;

  /** The time between the drawing of a frame and the word that it was shown. */
  static final int RENDER_MILLIS = 4;

  private FrameCommits() {}

  /** Promises the word to all who wait for the frame that was drawn just now. */
  public static void tellOf(ViewTreeObserver observer, Handler window) {
    if (RuntimeEnvironment.getApiLevel() < FIRST_WITH_COMMITS) {
      return;
    }
    List<Runnable> waiting = reflector(Observer.class, observer).captureFrameCommitCallbacks();
    if (waiting != null) {
      Message shown = Message.obtain(window, () -> waiting.forEach(Runnable::run));
      shown.setAsynchronous(true);
      window.sendMessageDelayed(shown, RENDER_MILLIS);
    }
  }

  @ForType(ViewTreeObserver.class)
  private interface Observer {
    ArrayList<Runnable> captureFrameCommitCallbacks();
  }
}
