// Draws the windows into a bitmap, lowest first, as the compositor would. In software on every API
// level: below 29 the hardware path aborts the process, and below 26 there is only a wireframe.
package dev.retap.agent.device;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Rect;
import android.graphics.RectF;
import android.view.WindowManager.LayoutParams;
import dev.retap.agent.device.WindowList.Window;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.robolectric.RuntimeEnvironment;

final class Screenshot {
  private static final int FRAME = 0xff888888;
  private static final int TOAST = 0xe6323232;
  private static final int KEYS = 0xff37474f;

  private Screenshot() {}

  static byte[] png(List<Window> windows, List<Overlay> overlays) {
    if (RuntimeEnvironment.getApiLevel() < 26) {
      return Wireframe.png(windows, overlays);
    }
    Rect display = Bars.display();
    Bitmap bitmap =
        Bitmap.createBitmap(display.width(), display.height(), Bitmap.Config.ARGB_8888);
    Canvas canvas = new Canvas(bitmap);
    canvas.drawColor(Color.BLACK);
    for (Window window : windows) {
      if ((window.params().flags & LayoutParams.FLAG_DIM_BEHIND) != 0) {
        canvas.drawColor(Color.argb((int) (window.params().dimAmount * 255), 0, 0, 0));
      }
      draw(window, canvas);
    }
    overlays.forEach(overlay -> draw(overlay, canvas));
    statusBar(Bars.status(windows), canvas);
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    bitmap.compress(Bitmap.CompressFormat.PNG, 100, png);
    bitmap.recycle();
    return png.toByteArray();
  }

  /** What an app throws while it is drawn for a picture it does not know of is not its failure. */
  private static void draw(Window window, Canvas canvas) {
    int[] at = window.location();
    int saved = canvas.save();
    canvas.translate(at[0], at[1]);
    try {
      window.view().draw(canvas);
    } catch (RuntimeException | LinkageError e) {
      canvas.restoreToCount(saved + 1);
      canvas.drawRect(0, 0, window.view().getWidth(), window.view().getHeight(), outline());
    }
    canvas.restoreToCount(saved);
  }

  private static void draw(Overlay overlay, Canvas canvas) {
    Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
    RectF bounds = new RectF(overlay.bounds());
    if (overlay.kind() == WindowList.Kind.KEYBOARD) {
      paint.setColor(KEYS);
      canvas.drawRect(bounds, paint);
      return;
    }
    paint.setColor(TOAST);
    canvas.drawRoundRect(bounds, bounds.height() / 2, bounds.height() / 2, paint);
    paint.setColor(Color.WHITE);
    paint.setTextSize(14 * Bars.density());
    paint.setTextAlign(Paint.Align.CENTER);
    String text = String.valueOf(overlay.root().text());
    canvas.drawText(text, bounds.centerX(), bounds.centerY() + 5 * Bars.density(), paint);
  }

  /** The clock: without it nobody sees that there is a bar. */
  private static void statusBar(Rect bar, Canvas canvas) {
    Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
    paint.setColor(Color.LTGRAY);
    paint.setTextSize(14 * Bars.density());
    paint.setTextAlign(Paint.Align.RIGHT);
    if (!bar.isEmpty()) {
      float unit = Bars.density();
      canvas.drawText("12:00", bar.right - 8 * unit, bar.bottom - 7 * unit, paint);
    }
  }

  private static Paint outline() {
    Paint paint = new Paint();
    paint.setColor(FRAME);
    paint.setStyle(Paint.Style.STROKE);
    return paint;
  }
}
