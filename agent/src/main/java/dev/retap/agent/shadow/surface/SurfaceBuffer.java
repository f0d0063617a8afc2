// What stands behind a surface: one bitmap that the app draws on and the screenshot shows. A phone
// has a queue of two or three; an app that asks for a part of the surface sees the rest as it was.
package dev.retap.agent.shadow.surface;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Rect;
import android.graphics.RectF;
import android.util.Size;

final class SurfaceBuffer {
  private final SurfaceFrames frames = new SurfaceFrames();
  private int width;
  private int height;
  private Bitmap bitmap;
  private boolean isLocked;
  private boolean isPosted;

  synchronized void resize(int newWidth, int newHeight) {
    if (newWidth != width || newHeight != height) {
      width = newWidth;
      height = newHeight;
      bitmap = null;
      isPosted = false;
    }
  }

  synchronized Size size() {
    return new Size(Math.max(1, width), Math.max(1, height));
  }

  synchronized boolean isLocked() {
    return isLocked;
  }

  /** Waits until the last frame has been shown. */
  void awaitFrame() {
    frames.awaitNext();
  }

  /** Lets the canvas draw on this surface. */
  synchronized void lock(Canvas canvas, Rect dirty) {
    boolean isNew = bitmap == null;
    if (isNew) {
      bitmap =
          Bitmap.createBitmap(Math.max(1, width), Math.max(1, height), Bitmap.Config.ARGB_8888);
      bitmap.setDensity(Bitmap.DENSITY_NONE);
    }
    canvas.setBitmap(bitmap);
    if (dirty != null) {
      if (isNew) {
        dirty.set(0, 0, bitmap.getWidth(), bitmap.getHeight());
      }
      canvas.clipRect(dirty);
    }
    isLocked = true;
  }

  synchronized void post(Canvas canvas) {
    canvas.setBitmap(null);
    isLocked = false;
    isPosted = true;
    frames.notePosted();
  }

  /** Draws what was posted last, stretched to the given size. */
  synchronized void draw(Canvas canvas, int shownWidth, int shownHeight) {
    if (isPosted && bitmap != null) {
      canvas.drawBitmap(bitmap, null, new RectF(0, 0, shownWidth, shownHeight), null);
    }
  }
}
