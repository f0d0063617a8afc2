// Compresses pictures of a camera to JPEG: the native half of YuvImage.
package dev.retap.agent.shadow.graphics;

import android.graphics.Bitmap;
import android.graphics.ImageFormat;
import android.graphics.YuvImage;
import java.io.OutputStream;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(YuvImage.class)
public class YuvImageShadow {
  @Implementation
  protected static boolean nativeCompressToJpeg(
      byte[] yuv,
      int format,
      int width,
      int height,
      int[] offsets,
      int[] strides,
      int quality,
      OutputStream stream,
      byte[] temporary) {
    int[] pixels = new int[width * height];
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        pixels[y * width + x] =
            format == ImageFormat.NV21
                ? planar(yuv, offsets, strides, x, y)
                : packed(yuv, offsets[0] + y * strides[0], x);
      }
    }
    Bitmap bitmap = Bitmap.createBitmap(pixels, width, height, Bitmap.Config.ARGB_8888);
    return bitmap.compress(Bitmap.CompressFormat.JPEG, quality, stream);
  }

  /** NV21: all brightness first, then the colour of every four pixels, red before blue. */
  private static int planar(byte[] yuv, int[] offsets, int[] strides, int x, int y) {
    int colour = offsets[1] + y / 2 * strides[1] + x / 2 * 2;
    return argb(
        yuv[offsets[0] + y * strides[0] + x] & 0xff, yuv[colour + 1] & 0xff, yuv[colour] & 0xff);
  }

  /** YUY2: two pixels in four bytes. */
  private static int packed(byte[] yuv, int row, int x) {
    int pair = row + x / 2 * 4;
    return argb(yuv[pair + x % 2 * 2] & 0xff, yuv[pair + 1] & 0xff, yuv[pair + 3] & 0xff);
  }

  /** JPEG uses the whole range of a byte. */
  static int argb(int y, int blue, int red) {
    double u = blue - 128;
    double v = red - 128;
    return 0xff000000
        | clamp(y + 1.402 * v) << 16
        | clamp(y - 0.344136 * u - 0.714136 * v) << 8
        | clamp(y + 1.772 * u);
  }

  private static int clamp(double value) {
    return (int) Math.max(0, Math.min(255, Math.round(value)));
  }
}
