// Gives texture views their texture when they are first drawn. The layer that would show it belongs
// to the render thread, which nobody plays, so a view has a texture and no layer.
package dev.retap.agent.shadow.surface;

import static org.robolectric.util.reflector.Reflector.reflector;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Matrix;
import android.graphics.Rect;
import android.graphics.SurfaceTexture;
import android.view.TextureView;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowView;
import org.robolectric.util.reflector.Accessor;
import org.robolectric.util.reflector.Direct;
import org.robolectric.util.reflector.ForType;

@Implements(TextureView.class)
public class TextureViewShadow extends ShadowView {
  private static final Map<Long, SurfaceTexture> WINDOWS = new ConcurrentHashMap<>();
  private static long lastWindow;

  @RealObject private TextureView view;
  private boolean hasLayer;

  /** Forgets the process that has ended. */
  public static void forget() {
    WINDOWS.clear();
    lastWindow = 0;
  }

  @Implementation(maxSdk = 27)
  protected Object getHardwareLayer() {
    return getTextureLayer();
  }

  /** Is called while the view is drawn. Returns null: there is no layer to record. */
  @Implementation(minSdk = 28)
  protected Object getTextureLayer() {
    TextureViewMembers members = reflector(TextureViewMembers.class, view);
    if (!hasLayer) {
      hasLayer = true;
      provideTexture(members);
    }
    if (members.getUpdateSurface()) {
      members.setUpdateSurface(false);
      members.setUpdateLayer(true);
      members.getSurface().setDefaultBufferSize(view.getWidth(), view.getHeight());
    }
    applyUpdate();
    return null;
  }

  private void provideTexture(TextureViewMembers members) {
    boolean isNew = members.getSurface() == null;
    if (isNew) {
      members.setSurface(new SurfaceTexture(false));
      members.nCreateNativeWindow(members.getSurface());
    }
    SurfaceTexture texture = members.getSurface();
    texture.setDefaultBufferSize(view.getWidth(), view.getHeight());
    texture.setOnFrameAvailableListener(members.getUpdateListener(), view.getHandler());
    TextureView.SurfaceTextureListener listener = view.getSurfaceTextureListener();
    if (isNew && listener != null) {
      listener.onSurfaceTextureAvailable(texture, view.getWidth(), view.getHeight());
    }
  }

  @Implementation
  protected void applyUpdate() {
    TextureViewMembers members = reflector(TextureViewMembers.class, view);
    if (!hasLayer || !members.getUpdateLayer()) {
      return;
    }
    members.setUpdateLayer(false);
    TextureView.SurfaceTextureListener listener = view.getSurfaceTextureListener();
    if (listener != null) {
      listener.onSurfaceTextureUpdated(members.getSurface());
    }
  }

  @Implementation
  protected void destroyHardwareLayer() {
    hasLayer = false;
  }

  @Implementation
  protected boolean isAvailable() {
    return hasLayer && reflector(TextureViewMembers.class, view).getSurface() != null;
  }

  @Implementation
  protected Bitmap getBitmap(Bitmap bitmap) {
    if (bitmap != null && isAvailable()) {
      applyUpdate();
      Canvas canvas = new Canvas(bitmap);
      buffer().draw(canvas, bitmap.getWidth(), bitmap.getHeight());
    }
    return bitmap;
  }

  /** Shows the texture on a screenshot; on another canvas without hardware nothing is shown. */
  @Implementation
  protected void draw(Canvas canvas) {
    TextureViewMembers members = reflector(TextureViewMembers.class, view);
    if (!SurfaceComposition.isOf(canvas)) {
      members.draw(canvas);
    } else if (isAvailable()) {
      int saved = canvas.save();
      canvas.clipRect(0, 0, view.getWidth(), view.getHeight());
      canvas.concat(view.getTransform(new Matrix()));
      buffer().draw(canvas, view.getWidth(), view.getHeight());
      canvas.restoreToCount(saved);
    }
  }

  private SurfaceBuffer buffer() {
    return SurfaceTextureShadow.of(reflector(TextureViewMembers.class, view).getSurface()).buffer();
  }

  @Implementation
  protected void nCreateNativeWindow(SurfaceTexture texture) {
    long window = ++lastWindow;
    WINDOWS.put(window, texture);
    reflector(TextureViewMembers.class, view).setNativeWindow(window);
  }

  @Implementation
  protected void nDestroyNativeWindow() {
    TextureViewMembers members = reflector(TextureViewMembers.class, view);
    WINDOWS.remove(members.getNativeWindow());
    members.setNativeWindow(0);
  }

  @Implementation
  protected static boolean nLockCanvas(long window, Canvas canvas, Rect dirty) {
    SurfaceTexture texture = WINDOWS.get(window);
    if (texture == null) {
      return false;
    }
    SurfaceBuffer buffer = SurfaceTextureShadow.of(texture).buffer();
    buffer.awaitFrame();
    buffer.lock(canvas, dirty);
    return true;
  }

  @Implementation
  protected static void nUnlockCanvasAndPost(long window, Canvas canvas) {
    SurfaceTexture texture = WINDOWS.get(window);
    if (texture != null) {
      SurfaceTextureShadow shadow = SurfaceTextureShadow.of(texture);
      shadow.buffer().post(canvas);
      shadow.tellFrame();
    }
  }

  @ForType(TextureView.class)
  private interface TextureViewMembers {
    @Direct
    void draw(Canvas canvas);

    void nCreateNativeWindow(SurfaceTexture texture);

    @Accessor("mNativeWindow")
    long getNativeWindow();

    @Accessor("mNativeWindow")
    void setNativeWindow(long window);

    @Accessor("mSurface")
    SurfaceTexture getSurface();

    @Accessor("mSurface")
    void setSurface(SurfaceTexture texture);

    @Accessor("mUpdateListener")
    SurfaceTexture.OnFrameAvailableListener getUpdateListener();

    @Accessor("mUpdateLayer")
    boolean getUpdateLayer();

    @Accessor("mUpdateLayer")
    void setUpdateLayer(boolean update);

    @Accessor("mUpdateSurface")
    boolean getUpdateSurface();

    @Accessor("mUpdateSurface")
    void setUpdateSurface(boolean update);
  }
}
