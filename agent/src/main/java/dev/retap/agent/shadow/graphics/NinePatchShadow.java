// Adds the one method that Robolectric's nine-patches lack: which part of a stretched picture is
// transparent.
package dev.retap.agent.shadow.graphics;

import android.graphics.Bitmap;
import android.graphics.NinePatch;
import android.graphics.Rect;
import android.graphics.Region;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowNativeNinePatch;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@Implements(value = NinePatch.class, isInAndroidSdk = false, callNativeMethodsByDefault = true)
public class NinePatchShadow extends ShadowNativeNinePatch {
  private static final int HEADER = 32;

  @RealObject private NinePatch real;
  private Bitmap bitmap;
  private byte[] chunk;

  @Implementation
  protected void __constructor__(Bitmap bitmap, byte[] chunk, String source) {
    this.bitmap = bitmap;
    this.chunk = chunk;
    Shadow.invokeConstructor(
        NinePatch.class,
        real,
        ClassParameter.from(Bitmap.class, bitmap),
        ClassParameter.from(byte[].class, chunk),
        ClassParameter.from(String.class, source));
  }

  /** Returns null if every part shows something, or if there is no room for any. */
  @Implementation
  protected Region getTransparentRegion(Rect bounds) {
    if (bounds.isEmpty()) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(chunk).order(ByteOrder.nativeOrder());
    int[] columns = new int[chunk[1]];
    int[] rows = new int[chunk[2]];
    int colours = chunk[3];
    in.position(HEADER);
    for (int i = 0; i < columns.length; i++) {
      columns[i] = in.getInt();
    }
    for (int i = 0; i < rows.length; i++) {
      rows[i] = in.getInt();
    }
    int[] x = NinePatchCells.edges(columns, bitmap.getWidth(), bounds.left, bounds.right);
    int[] y = NinePatchCells.edges(rows, bitmap.getHeight(), bounds.top, bounds.bottom);
    Region empty = new Region();
    for (int i = 0; i < colours; i++) {
      int row = i / (x.length - 1);
      int column = i % (x.length - 1);
      if (in.getInt() == 0 && row < y.length - 1) {
        empty.op(x[column], y[row], x[column + 1], y[row + 1], Region.Op.UNION);
      }
    }
    return empty.isEmpty() ? null : empty;
  }
}
