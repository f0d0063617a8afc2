// The native half of BitmapRegionDecoder: pictures from arrays, files, streams and assets.
package dev.retap.agent.shadow.graphics;

import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.graphics.BitmapRegionDecoder;
import android.graphics.Rect;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.res.android.Asset;
import org.robolectric.res.android.Registries;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@Implements(BitmapRegionDecoder.class)
public class BitmapRegionDecoderShadow {
  private static final Map<Long, RegionSource> SOURCES = new ConcurrentHashMap<>();
  private static final AtomicLong LAST = new AtomicLong();

  @Implementation(maxSdk = 30)
  protected static BitmapRegionDecoder nativeNewInstance(
      byte[] data, int offset, int length, boolean shareable) throws IOException {
    return nativeNewInstance(data, offset, length);
  }

  @Implementation(minSdk = 31)
  protected static BitmapRegionDecoder nativeNewInstance(byte[] data, int offset, int length)
      throws IOException {
    return create(Arrays.copyOfRange(data, offset, offset + length));
  }

  @Implementation(maxSdk = 30)
  protected static BitmapRegionDecoder nativeNewInstance(FileDescriptor file, boolean shareable)
      throws IOException {
    return nativeNewInstance(file);
  }

  @Implementation(minSdk = 31)
  protected static BitmapRegionDecoder nativeNewInstance(FileDescriptor file) throws IOException {
    return create(new FileInputStream(file).readAllBytes());
  }

  @Implementation(maxSdk = 30)
  protected static BitmapRegionDecoder nativeNewInstance(
      InputStream in, byte[] storage, boolean shareable) throws IOException {
    return nativeNewInstance(in, storage);
  }

  @Implementation(minSdk = 31)
  protected static BitmapRegionDecoder nativeNewInstance(InputStream in, byte[] storage)
      throws IOException {
    return create(in.readAllBytes());
  }

  @Implementation(maxSdk = 30, methodName = "nativeNewInstance")
  protected static BitmapRegionDecoder ofAsset(long asset, boolean shareable) throws IOException {
    return ofAsset(asset);
  }

  @Implementation(minSdk = 31, methodName = "nativeNewInstance")
  protected static BitmapRegionDecoder ofAsset(long id) throws IOException {
    Asset asset = Registries.NATIVE_ASSET_REGISTRY.getNativeObject(id);
    byte[] data = new byte[(int) asset.getRemainingLength()];
    for (int read = 0, more; read < data.length; read += more) {
      more = asset.read(data, read, data.length - read);
      if (more <= 0) {
        throw new IOException("Image format not supported");
      }
    }
    return create(data);
  }

  private static BitmapRegionDecoder create(byte[] data) throws IOException {
    RegionSource source = new RegionSource(data);
    long id = LAST.incrementAndGet();
    SOURCES.put(id, source);
    return ReflectionHelpers.callConstructor(
        BitmapRegionDecoder.class, ClassParameter.from(long.class, id));
  }

  @Implementation(maxSdk = 28)
  protected static Bitmap nativeDecodeRegion(
      long id, int x, int y, int width, int height, BitmapFactory.Options options) {
    return SOURCES.get(id).decode(new Rect(x, y, x + width, y + height), options);
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
    return SOURCES.get(id).width();
  }

  @Implementation
  protected static int nativeGetHeight(long id) {
    return SOURCES.get(id).height();
  }

  @Implementation
  protected static void nativeClean(long id) {
    SOURCES.remove(id);
  }
}
