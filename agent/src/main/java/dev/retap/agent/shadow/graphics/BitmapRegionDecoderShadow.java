// Decodes parts of a picture by decoding all of it: the native half of BitmapRegionDecoder.
package dev.retap.agent.shadow.graphics;

import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.graphics.BitmapRegionDecoder;
import android.graphics.Canvas;
import android.graphics.Paint;
import android.graphics.Rect;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@Implements(BitmapRegionDecoder.class)
public class BitmapRegionDecoderShadow {
  private static final Map<Long, Bitmap> PICTURES = new ConcurrentHashMap<>();
  private static final AtomicLong LAST = new AtomicLong();

  @Implementation(maxSdk = 30)
  protected static BitmapRegionDecoder nativeNewInstance(
      byte[] data, int offset, int length, boolean shareable) throws IOException {
    return nativeNewInstance(data, offset, length);
  }

  @Implementation(minSdk = 31)
  protected static BitmapRegionDecoder nativeNewInstance(byte[] data, int offset, int length)
      throws IOException {
    return create(BitmapFactory.decodeByteArray(data, offset, length));
  }

  @Implementation(maxSdk = 30)
  protected static BitmapRegionDecoder nativeNewInstance(FileDescriptor file, boolean shareable)
      throws IOException {
    return nativeNewInstance(file);
  }

  @Implementation(minSdk = 31)
  protected static BitmapRegionDecoder nativeNewInstance(FileDescriptor file) throws IOException {
    return create(BitmapFactory.decodeFileDescriptor(file));
  }

  @Implementation(maxSdk = 30)
  protected static BitmapRegionDecoder nativeNewInstance(
      InputStream in, byte[] storage, boolean shareable) throws IOException {
    return nativeNewInstance(in, storage);
  }

  @Implementation(minSdk = 31)
  protected static BitmapRegionDecoder nativeNewInstance(InputStream in, byte[] storage)
      throws IOException {
    return create(BitmapFactory.decodeStream(in));
  }

  @Implementation(maxSdk = 30, methodName = "nativeNewInstance")
  protected static BitmapRegionDecoder ofAsset(long asset, boolean shareable) {
    return ofAsset(asset);
  }

  @Implementation(minSdk = 31, methodName = "nativeNewInstance")
  protected static BitmapRegionDecoder ofAsset(long asset) {
    throw new UnsupportedOperationException("BitmapRegionDecoder of a compressed asset");
  }

  private static BitmapRegionDecoder create(Bitmap picture) throws IOException {
    if (picture == null) {
      throw new IOException("Image format not supported");
    }
    long id = LAST.incrementAndGet();
    PICTURES.put(id, picture);
    return ReflectionHelpers.callConstructor(
        BitmapRegionDecoder.class, ClassParameter.from(long.class, id));
  }

  @Implementation(maxSdk = 28)
  protected static Bitmap nativeDecodeRegion(
      long id, int x, int y, int width, int height, BitmapFactory.Options options) {
    int sample = options == null ? 1 : Math.max(1, options.inSampleSize);
    Rect part = new Rect(0, 0, Math.max(1, width / sample), Math.max(1, height / sample));
    Bitmap.Config config =
        options == null || options.inPreferredConfig == null
            ? Bitmap.Config.ARGB_8888
            : options.inPreferredConfig;
    Bitmap result = Bitmap.createBitmap(part.width(), part.height(), config);
    // What lies outside the picture stays transparent.
    Canvas canvas = new Canvas(result);
    canvas.scale(1f / sample, 1f / sample);
    canvas.drawBitmap(PICTURES.get(id), -x, -y, new Paint(Paint.FILTER_BITMAP_FLAG));
    if (options != null) {
      options.outWidth = part.width();
      options.outHeight = part.height();
    }
    return result;
  }

  @Implementation(minSdk = 29)
  protected static Bitmap nativeDecodeRegion(
      long id,
      int x,
      int y,
      int width,
      int height,
      BitmapFactory.Options options,
      long reused,
      long colourSpace) {
    return nativeDecodeRegion(id, x, y, width, height, options);
  }

  @Implementation
  protected static int nativeGetWidth(long id) {
    return PICTURES.get(id).getWidth();
  }

  @Implementation
  protected static int nativeGetHeight(long id) {
    return PICTURES.get(id).getHeight();
  }

  @Implementation
  protected static void nativeClean(long id) {
    PICTURES.remove(id);
  }
}
