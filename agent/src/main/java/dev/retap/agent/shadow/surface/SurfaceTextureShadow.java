// The native half of a surface texture: a buffer, and the word that a frame has come. Its picture
// never becomes a texture of OpenGL, which nobody plays.
package dev.retap.agent.shadow.surface;

import android.graphics.SurfaceTexture;
import android.opengl.Matrix;
import android.os.Handler;
import android.os.SystemClock;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.util.ReflectionHelpers;

@Implements(SurfaceTexture.class)
public class SurfaceTextureShadow {
  private static final long NANOS_A_MILLI = 1_000_000;

  @RealObject private SurfaceTexture texture;
  private final SurfaceBuffer buffer = new SurfaceBuffer();
  private boolean isReleased;
  private long lastFrameNanos;

  static SurfaceTextureShadow of(SurfaceTexture texture) {
    return Shadow.extract(texture);
  }

  SurfaceBuffer buffer() {
    return buffer;
  }

  /** Tells the texture's owner that a frame was posted. */
  void tellFrame() {
    lastFrameNanos = SystemClock.uptimeMillis() * NANOS_A_MILLI;
    Handler handler = ReflectionHelpers.getField(texture, "mOnFrameAvailableHandler");
    if (handler != null && !isReleased) {
      handler.sendEmptyMessage(0);
    }
  }

  @Implementation
  protected void nativeSetDefaultBufferSize(int width, int height) {
    buffer.resize(width, height);
  }

  @Implementation
  protected void nativeRelease() {
    isReleased = true;
  }

  @Implementation
  protected boolean nativeIsReleased() {
    return isReleased;
  }

  @Implementation
  protected long nativeGetTimestamp() {
    return lastFrameNanos;
  }

  @Implementation
  protected void nativeGetTransformMatrix(float[] matrix) {
    Matrix.setIdentityM(matrix, 0);
  }
}
