// Draws the windows into a bitmap, lowest first, as the compositor does. It draws in software on
// every API level: below 29 the hardware path aborts the process, and below 26 there is only a
// wireframe.
package dev.retap.agent.device.screen;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Rect;
import android.graphics.RectF;
import android.view.WindowManager.LayoutParams;
import dev.retap.agent.shadow.surface.SurfaceComposition;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.robolectric.RuntimeEnvironment;

public final class Screenshot {
  private static final int OUTLINE_COLOUR = 0xff888888;
  private static final int TOAST_COLOUR = 0xe6323232;
  private static final int KEYBOARD_COLOUR = 0xff37474f;

  private Screenshot() {}

  /** Returns the screen as PNG. */
  public static byte[] png(List<Window> windows, List<Overlay> overlays) {
    if (RuntimeEnvironment.getApiLevel() < 26) {
      return Wireframe.png(windows, overlays);
    }
    Rect display = SystemBars.display();
    Bitmap bitmap = Bitmap.createBitmap(display.width(), display.height(), Bitmap.Config.ARGB_8888);
    Canvas canvas = new Canvas(bitmap);
    canvas.drawColor(Color.BLACK);
    SurfaceComposition.draw(canvas, () -> windows.forEach(window -> compose(window, canvas)));
    overlays.forEach(overlay -> draw(overlay, canvas));
    statusBar(SystemBars.status(windows), canvas);
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    bitmap.compress(Bitmap.CompressFormat.PNG, 100, png);
    bitmap.recycle();
    return png.toByteArray();
  }

  private static void compose(Window window, Canvas canvas) {
    if (window.hasFlag(LayoutParams.FLAG_DIM_BEHIND)) {
      canvas.drawColor(Color.argb((int) (window.params().dimAmount * 255), 0, 0, 0));
    }
    draw(window, canvas);
  }

  /** Ignores exceptions: the app does not know that it is drawn, so they are not its failures. */
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
    if (overlay.kind() == WindowKind.KEYBOARD) {
      paint.setColor(KEYBOARD_COLOUR);
      canvas.drawRect(bounds, paint);
      return;
    }
    paint.setColor(TOAST_COLOUR);
    canvas.drawRoundRect(bounds, bounds.height() / 2, bounds.height() / 2, paint);
    paint.setColor(Color.WHITE);
    paint.setTextSize(14 * SystemBars.density());
    paint.setTextAlign(Paint.Align.CENTER);
    String text = String.valueOf(overlay.root().text());
    canvas.drawText(text, bounds.centerX(), bounds.centerY() + 5 * SystemBars.density(), paint);
  }

  /** Draws the clock, because without it nobody sees that there is a bar. */
  private static void statusBar(Rect bar, Canvas canvas) {
    Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
    paint.setColor(Color.LTGRAY);
    paint.setTextSize(14 * SystemBars.density());
    paint.setTextAlign(Paint.Align.RIGHT);
    if (!bar.isEmpty()) {
      float unit = SystemBars.density();
      canvas.drawText("12:00", bar.right - 8 * unit, bar.bottom - 7 * unit, paint);
    }
  }

  private static Paint outline() {
    Paint paint = new Paint();
    paint.setColor(OUTLINE_COLOUR);
    paint.setStyle(Paint.Style.STROKE);
    return paint;
  }
}
