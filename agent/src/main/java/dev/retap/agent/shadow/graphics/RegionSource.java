// A picture whose parts are decoded one by one. All of it is decoded, once for each size that is
// asked for, because the host's native half has no decoder of parts.
package dev.retap.agent.shadow.graphics;

import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.graphics.Canvas;
import android.graphics.Rect;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

final class RegionSource {
  private static final Set<String> WITH_PARTS =
      Set.of("image/jpeg", "image/png", "image/webp", "image/heif", "image/avif");

  private final byte[] data;
  private final int width;
  private final int height;
  private final Map<String, Bitmap> decoded = new HashMap<>();

  RegionSource(byte[] data) throws IOException {
    BitmapFactory.Options bounds = new BitmapFactory.Options();
    bounds.inJustDecodeBounds = true;
    BitmapFactory.decodeByteArray(data, 0, data.length, bounds);
    if (bounds.outMimeType == null || !WITH_PARTS.contains(bounds.outMimeType)) {
      throw new IOException("Image format not supported");
    }
    this.data = data;
    this.width = bounds.outWidth;
    this.height = bounds.outHeight;
  }

  int width() {
    return width;
  }

  int height() {
    return height;
  }

  /** Returns a part, in the bitmap of the options if they have one. */
  synchronized Bitmap decode(Rect part, BitmapFactory.Options options) {
    int sample = options == null ? 1 : Math.max(1, options.inSampleSize);
    int partWidth = Math.max(1, part.width() / sample);
    int partHeight = Math.max(1, part.height() / sample);
    Bitmap picture = picture(sample, options == null ? null : options.inPreferredConfig);
    Bitmap reused = options == null ? null : options.inBitmap;
    Bitmap result =
        reused == null
            ? Bitmap.createBitmap(partWidth, partHeight, picture.getConfig(), picture.hasAlpha())
            : reused;
    if (reused != null) {
      reused.eraseColor(0);
    }
    // What lies outside the picture stays transparent.
    Canvas canvas = new Canvas(result);
    canvas.clipRect(0, 0, partWidth, partHeight);
    canvas.drawBitmap(picture, -(part.left / sample), -(part.top / sample), null);
    if (options != null) {
      options.outWidth = partWidth;
      options.outHeight = partHeight;
    }
    return result;
  }

  private Bitmap picture(int sample, Bitmap.Config config) {
    return decoded.computeIfAbsent(
        sample + " " + config,
        key -> {
          BitmapFactory.Options options = new BitmapFactory.Options();
          options.inSampleSize = sample;
          options.inPreferredConfig = config == null ? Bitmap.Config.ARGB_8888 : config;
          options.inScaled = false;
          return BitmapFactory.decodeByteArray(data, 0, data.length, options);
        });
  }
}
