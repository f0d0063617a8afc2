// Draws the windows into a bitmap. In software on every API level: below 29 the hardware path
// aborts the process.
package dev.retap.agent.device;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.view.WindowManager.LayoutParams;
import dev.retap.agent.device.WindowList.Window;
import java.io.ByteArrayOutputStream;
import java.util.List;

final class Screenshot {
  private Screenshot() {}

  static byte[] png(List<Window> windows, int width, int height) {
    Bitmap bitmap = Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888);
    Canvas canvas = new Canvas(bitmap);
    canvas.drawColor(Color.BLACK);
    for (Window window : windows) {
      if ((window.params().flags & LayoutParams.FLAG_DIM_BEHIND) != 0) {
        canvas.drawColor(Color.argb((int) (window.params().dimAmount * 255), 0, 0, 0));
      }
      int[] at = window.location();
      canvas.save();
      canvas.translate(at[0], at[1]);
      window.view().draw(canvas);
      canvas.restore();
    }
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    bitmap.compress(Bitmap.CompressFormat.PNG, 100, png);
    bitmap.recycle();
    return png.toByteArray();
  }
}
