// A surface that the app draws on, with a buffer instead of a phone's queue. The buffer is that of
// the view or texture it belongs to. Surfaces without one are Android's own native ones.
package dev.retap.agent.shadow.surface;

import static org.robolectric.util.reflector.Reflector.reflector;

import android.graphics.Canvas;
import android.graphics.Rect;
import android.graphics.SurfaceTexture;
import android.util.Size;
import android.view.Surface;
import java.util.concurrent.locks.ReentrantLock;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowNativeSurface;
import org.robolectric.util.ReflectionHelpers.ClassParameter;
import org.robolectric.util.reflector.Direct;
import org.robolectric.util.reflector.ForType;

@Implements(
    value = Surface.class,
    minSdk = 26,
    isInAndroidSdk = false,
    callNativeMethodsByDefault = true)
public class SurfaceShadow extends ShadowNativeSurface {
  @RealObject private Surface surface;
  private final Canvas canvas = new Canvas();
  private SurfaceBuffer buffer;
  private SurfaceTexture texture;
  private ReentrantLock holderLock;
  private boolean isPlayed;

  static SurfaceShadow of(Surface surface) {
    return Shadow.extract(surface);
  }

  @Implementation
  protected void __constructor__(SurfaceTexture of) {
    Shadow.invokeConstructor(Surface.class, surface, ClassParameter.from(SurfaceTexture.class, of));
    texture = of;
    attach(SurfaceTextureShadow.of(of).buffer());
  }

  /** The surface has a buffer instead of a native half. */
  @Implementation
  protected static long nativeCreateFromSurfaceTexture(SurfaceTexture texture) {
    return 0;
  }

  /** Returns the size of the buffer, or of one that has none yet. */
  Size size() {
    return buffer == null ? new Size(1, 1) : buffer.size();
  }

  void attach(SurfaceBuffer shown) {
    buffer = shown;
    isPlayed = true;
  }

  /** Gives the surface of a view its buffer, and the lock that its holder takes around drawing. */
  void attach(SurfaceBuffer shown, ReentrantLock lock) {
    attach(shown);
    holderLock = lock;
  }

  @Implementation
  protected boolean isValid() {
    return isPlayed ? buffer != null : reflector(SurfaceMethods.class, surface).isValid();
  }

  @Implementation
  protected void release() {
    buffer = null;
    reflector(SurfaceMethods.class, surface).release();
  }

  @Implementation
  protected Canvas lockCanvas(Rect dirty) {
    return isPlayed ? lock(dirty) : reflector(SurfaceMethods.class, surface).lockCanvas(dirty);
  }

  @Implementation
  protected Canvas lockHardwareCanvas() {
    return isPlayed ? lock(null) : reflector(SurfaceMethods.class, surface).lockHardwareCanvas();
  }

  private Canvas lock(Rect dirty) {
    if (locked().isLocked()) {
      throw new IllegalArgumentException("Surface was already locked");
    }
    awaitFrame();
    locked().lock(canvas, dirty);
    return canvas;
  }

  /**
   * Lets others have the holder's lock while a thread that draws for ever waits for the display: it
   * takes the lock again so soon that the main thread would never get it.
   */
  private void awaitFrame() {
    boolean isHeld = holderLock != null && holderLock.isHeldByCurrentThread();
    if (isHeld) {
      holderLock.unlock();
    }
    try {
      buffer.awaitFrame();
    } finally {
      if (isHeld) {
        holderLock.lock();
      }
    }
  }

  @Override
  @Implementation
  protected void unlockCanvasAndPost(Canvas posted) {
    if (!isPlayed) {
      super.unlockCanvasAndPost(posted);
      return;
    }
    SurfaceBuffer locked = locked();
    if (posted != canvas) {
      throw new IllegalArgumentException(
          "canvas object must be the same instance that was previously returned by lockCanvas");
    }
    if (!locked.isLocked()) {
      throw new IllegalStateException("Surface was not locked");
    }
    locked.post(canvas);
    if (texture != null) {
      SurfaceTextureShadow.of(texture).tellFrame();
    }
  }

  private SurfaceBuffer locked() {
    SurfaceBuffer present = buffer;
    if (present == null) {
      throw new IllegalStateException("Surface has already been released.");
    }
    return present;
  }

  @Implementation
  protected void setFrameRate(float rate, int compatibility) {
    if (isPlayed) {
      locked();
    } else {
      reflector(SurfaceMethods.class, surface).setFrameRate(rate, compatibility);
    }
  }

  @Implementation
  protected void setFrameRate(float rate, int compatibility, int strategy) {
    if (isPlayed) {
      locked();
    } else {
      reflector(SurfaceMethods.class, surface).setFrameRate(rate, compatibility, strategy);
    }
  }

  @ForType(Surface.class)
  private interface SurfaceMethods {
    @Direct
    boolean isValid();

    @Direct
    void release();

    @Direct
    Canvas lockCanvas(Rect dirty);

    @Direct
    Canvas lockHardwareCanvas();

    @Direct
    void setFrameRate(float rate, int compatibility);

    @Direct
    void setFrameRate(float rate, int compatibility, int strategy);
  }
}
