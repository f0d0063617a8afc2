// Draws the dirty views of a window in each of its frames, as a phone does. The framework's own
// draw gives up because the host has no surface to show anything on. Everything up to the display
// lists is real; only their composition into pixels is left out.
package dev.retap.agent.shadow.graphics;

import static org.robolectric.util.reflector.Reflector.reflector;

import android.os.SystemClock;
import android.view.ViewRootImpl;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.annotation.ClassName;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowViewRootImpl;

@Implements(value = ViewRootImpl.class, isInAndroidSdk = false)
public class ViewRootImplShadow extends ShadowViewRootImpl {
  /** How long a window may ask for its next frame while it draws. */
  private static final int OWN_FRAMES_MILLIS = 1_500;

  /** The same for a window that did not stop within that time, such as a turning wheel. */
  private static final int RESTLESS_FRAMES_MILLIS = 100;

  /** Windows whose next frame waits until the next event. */
  private static final List<ViewRootImplShadow> PARKED = new ArrayList<>();

  private static long waitedUntil;

  @RealObject private ViewRootImpl root;
  private boolean restless;

  /**
   * Lets windows that draw for ever go on, but not for long.
   *
   * @param until the time that certainly passes before the app may rest
   */
  public static void allowFrames(long until) {
    waitedUntil = until;
    if (!PARKED.isEmpty()) {
      List<ViewRootImplShadow> parked = new ArrayList<>(PARKED);
      PARKED.clear();
      for (ViewRootImplShadow window : parked) {
        if (window.root.getView() != null) {
          reflector(ViewRootFields.class, window.root).scheduleTraversals();
        }
      }
    }
  }

  @Implementation(maxSdk = 27, methodName = "draw")
  protected void drawBefore28(boolean all) {
    drawFrame(all);
  }

  @Implementation(minSdk = 28)
  protected boolean draw(boolean all) {
    return drawFrame(all);
  }

  @Implementation(minSdk = 31)
  protected boolean draw(boolean all, boolean forced) {
    return drawFrame(all);
  }

  @Implementation(minSdk = 35, methodName = "draw")
  protected boolean drawInGroup(
      boolean all, @ClassName("android.window.SurfaceSyncGroup") Object group, boolean buffer) {
    return drawFrame(all);
  }

  /**
   * Tells the surface views of a window that it stops or starts. A phone does so when the window
   * loses or gets its own surface, which it does not have here.
   */
  @Implementation(minSdk = 30)
  protected void setWindowStopped(boolean stopped) {
    ViewRootFields fields = reflector(ViewRootFields.class, root);
    boolean isChanged = stopped != fields.getStopped();
    fields.setWindowStopped(stopped);
    if (isChanged) {
      for (Object view : new ArrayList<>(fields.getSurfaceChangedCallbacks())) {
        if (stopped) {
          reflector(ViewRootFields.SurfaceCallback.class, view).surfaceDestroyed();
        } else {
          reflector(ViewRootFields.SurfaceCallback.class, view).surfaceCreated(null);
        }
      }
    }
  }

  /** Forgets the windows of the process that has ended. */
  static void forget() {
    PARKED.clear();
    waitedUntil = 0;
  }

  /** Returns false: nobody waits for the frame to be shown. */
  private boolean drawFrame(boolean all) {
    ViewRootFields fields = reflector(ViewRootFields.class, root);
    boolean scheduled = fields.getTraversalScheduled();
    WindowDrawing.draw(root, fields, all);
    if (scheduled || !fields.getTraversalScheduled() || fields.getLayoutRequested()) {
      restless &= scheduled;
      return false;
    }
    long limit = waitedUntil + (restless ? RESTLESS_FRAMES_MILLIS : OWN_FRAMES_MILLIS);
    if (SystemClock.uptimeMillis() >= limit) {
      restless = true;
      fields.unscheduleTraversals();
      PARKED.add(this);
    }
    return false;
  }
}
