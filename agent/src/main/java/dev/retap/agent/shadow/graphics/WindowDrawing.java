// One drawing pass over a window: what ViewRootImpl.draw does between the check for a surface and
// the hand-over to the render thread. A window with hardware acceleration records the display
// lists of the views that are dirty; one without draws all its views into a picture.
package dev.retap.agent.shadow.graphics;

import static org.robolectric.util.reflector.Reflector.reflector;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Picture;
import android.graphics.Rect;
import android.view.View;
import android.view.ViewRootImpl;
import android.view.ViewTreeObserver;
import dev.retap.agent.shadow.renderer.FrameCommits;
import java.util.List;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.util.reflector.Accessor;
import org.robolectric.util.reflector.Direct;
import org.robolectric.util.reflector.ForType;

final class WindowDrawing {
  private static final long NANOS_A_MILLI = 1_000_000;

  /** View.PFLAG_DRAWN: the view's next invalidation asks for a frame. */
  private static final int DRAWN = 0x20;

  /** Takes what windows draw in software. One for all, because its memory is outside the heap. */
  private static Picture recording;

  private WindowDrawing() {}

  static void draw(ViewRootImpl root, ViewRootFields fields, boolean all) {
    View view = root.getView();
    AttachFields info = reflector(AttachFields.class, fields.getAttachInfo());
    Rect dirty = fields.getDirty();
    if (info.getViewScrollChanged()) {
      info.setViewScrollChanged(false);
      reflector(Observer.class, info.getObserver()).dispatchOnScrollChanged();
    }
    if (fields.getSurfaceHolder() != null) {
      dirty.setEmpty();
      return;
    }
    if (all) {
      dirty.set(0, 0, fields.getWidth(), fields.getHeight());
    }
    info.getObserver().dispatchOnDraw();
    info.setDrawingTime(frameTime(fields));
    if (dirty.isEmpty() && !fields.getAnimating()) {
      return;
    }
    fields.setAnimating(false);
    Rect part = new Rect(dirty);
    dirty.setEmpty();
    ignoreDirtyState(fields.getAttachInfo(), true);
    Object renderer = renderer(fields.getAttachInfo());
    if (renderer != null) {
      reflector(RendererMethods.class, renderer).updateViewTreeDisplayList(view);
      FrameCommits.tellOf(info.getObserver(), view.getHandler());
    } else {
      drawInSoftware(view, fields, part);
    }
    ignoreDirtyState(fields.getAttachInfo(), false);
    info.setPendingAnimatingRenderNodes(null);
  }

  private static void drawInSoftware(View view, ViewRootFields fields, Rect part) {
    ViewFlags flags = reflector(ViewFlags.class, view);
    flags.setPrivateFlags(flags.getPrivateFlags() | DRAWN);
    int width = Math.max(1, fields.getWidth());
    int height = Math.max(1, fields.getHeight());
    if (RuntimeEnvironment.getApiLevel() < 26) {
      Bitmap bitmap = Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888);
      draw(view, new Canvas(bitmap), part);
    } else {
      record(view, width, height, part);
    }
  }

  private static void record(View view, int width, int height, Rect part) {
    if (recording == null) {
      recording = new Picture();
    }
    try {
      draw(view, recording.beginRecording(width, height), part);
    } finally {
      recording.endRecording();
    }
  }

  private static void draw(View view, Canvas canvas, Rect part) {
    canvas.clipRect(part);
    view.draw(canvas);
  }

  /** Draws backgrounds even below views that cover them, as long as releases left them out. */
  private static void ignoreDirtyState(Object attachInfo, boolean ignored) {
    if (RuntimeEnvironment.getApiLevel() < 29) {
      reflector(OldAttachFields.class, attachInfo).setIgnoreDirtyState(ignored);
    }
  }

  private static long frameTime(ViewRootFields fields) {
    return reflector(FrameTime.class, fields.getChoreographer()).getFrameTimeNanos()
        / NANOS_A_MILLI;
  }

  private static Object renderer(Object attachInfo) {
    return RuntimeEnvironment.getApiLevel() < 26
        ? reflector(OldAttachFields.class, attachInfo).getRenderer()
        : reflector(AttachFields.class, attachInfo).getRenderer();
  }

  @ForType(className = "android.view.View$AttachInfo")
  private interface AttachFields {
    @Accessor("mTreeObserver")
    ViewTreeObserver getObserver();

    @Accessor("mViewScrollChanged")
    boolean getViewScrollChanged();

    @Accessor("mViewScrollChanged")
    void setViewScrollChanged(boolean changed);

    @Accessor("mDrawingTime")
    void setDrawingTime(long millis);

    @Accessor("mThreadedRenderer")
    Object getRenderer();

    @Accessor("mPendingAnimatingRenderNodes")
    void setPendingAnimatingRenderNodes(List<?> nodes);
  }

  @ForType(ViewTreeObserver.class)
  private interface Observer {
    void dispatchOnScrollChanged();
  }

  @ForType(className = "android.view.View$AttachInfo")
  private interface OldAttachFields {
    @Accessor("mIgnoreDirtyState")
    void setIgnoreDirtyState(boolean ignored);

    @Accessor("mHardwareRenderer")
    Object getRenderer();
  }

  @ForType(className = "android.view.ThreadedRenderer")
  private interface RendererMethods {
    @Direct
    void updateViewTreeDisplayList(View view);
  }

  @ForType(View.class)
  private interface ViewFlags {
    @Accessor("mPrivateFlags")
    int getPrivateFlags();

    @Accessor("mPrivateFlags")
    void setPrivateFlags(int flags);
  }

  @ForType(className = "android.view.Choreographer")
  private interface FrameTime {
    long getFrameTimeNanos();
  }
}
