// What Robolectric's motion events lack: the display they are on, the cursor of a mouse that is not
// there, and the framework's answer to a matrix that is null.
package dev.retap.agent.shadow.input;

import android.graphics.Matrix;
import android.view.Display;
import android.view.MotionEvent;
import android.view.Surface;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowMotionEvent;

@Implements(MotionEvent.class)
public class MotionEventShadow extends ShadowMotionEvent {
  @Override
  @Implementation
  protected void transform(Matrix matrix) {
    if (matrix == null) {
      throw new IllegalArgumentException("matrix must not be null");
    }
    super.transform(matrix);
  }

  /** No other process sees the event, so it needs no number. */
  @Implementation(minSdk = 30)
  protected static int nativeGetId(long event) {
    return 0;
  }

  @Implementation(minSdk = 29)
  protected static int nativeGetDisplayId(long event) {
    return Display.DEFAULT_DISPLAY;
  }

  @Implementation(minSdk = 29)
  protected static void nativeSetDisplayId(long event, int display) {}

  @Implementation(minSdk = 30)
  protected static int nativeGetSurfaceRotation(long event) {
    return Surface.ROTATION_0;
  }

  @Implementation(minSdk = 29)
  protected static float nativeGetXCursorPosition(long event) {
    return Float.NaN;
  }

  @Implementation(minSdk = 29)
  protected static float nativeGetYCursorPosition(long event) {
    return Float.NaN;
  }

  @Implementation(minSdk = 29)
  protected static void nativeSetCursorPosition(long event, float x, float y) {}
}
