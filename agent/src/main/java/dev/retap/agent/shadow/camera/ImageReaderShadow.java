// A reader of pictures. Those of the camera come from its service here; pictures that an app draws
// itself pass through the native half as before.
package dev.retap.agent.shadow.camera;

import static org.robolectric.util.reflector.Reflector.reflector;

import android.media.Image;
import android.media.ImageReader;
import android.view.Surface;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.robolectric.annotation.ClassName;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowNativeImageReader;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;
import org.robolectric.util.reflector.Direct;
import org.robolectric.util.reflector.ForType;

@Implements(
    value = ImageReader.class,
    minSdk = 26,
    isInAndroidSdk = false,
    callNativeMethodsByDefault = true)
public class ImageReaderShadow extends ShadowNativeImageReader {
  private static final String IMAGE = "android.media.ImageReader$SurfaceImage";
  private static final int SUCCESS = 0;
  private static final int NO_PICTURE = 1;
  private static final int TOO_MANY = 2;

  /** The content of a picture's plane. */
  record Plane(byte[] content, int rowStride, int pixelStride) {}

  /** A picture of the camera. */
  record Frame(long nanos, Plane... planes) {}

  @RealObject private ImageReader real;
  private final Deque<Frame> frames = new ArrayDeque<>();

  /** Puts a frame into the reader's queue; the oldest is lost if nobody has taken it. */
  static void deliver(ImageReader reader, Frame frame) {
    ImageReaderShadow shadow = Shadow.extract(reader);
    synchronized (shadow.frames) {
      if (shadow.frames.size() == reader.getMaxImages()) {
        shadow.frames.poll();
      }
      shadow.frames.add(frame);
    }
    ReflectionHelpers.callStaticMethod(
        ImageReader.class,
        "postEventFromNative",
        ClassParameter.from(Object.class, new WeakReference<>(reader)));
  }

  @Implementation
  protected Surface getSurface() {
    Surface surface = reflector(Methods.class, real).getSurface();
    if (surface != null) {
      CameraTargets.note(surface, real);
    }
    return surface;
  }

  @Implementation
  protected int acquireNextSurfaceImage(@ClassName(IMAGE) Object image) {
    Frame frame;
    synchronized (frames) {
      frame = frames.peek();
      if (!CameraTargets.isOfCamera(real.getImageFormat())) {
        return reflector(Methods.class, real).acquireNextSurfaceImage(image);
      }
      if (frame == null) {
        return NO_PICTURE;
      }
      if (acquired().size() >= real.getMaxImages()) {
        return TOO_MANY;
      }
      frames.poll();
    }
    Shadow.<OfImage>extract(image).frame = frame;
    ReflectionHelpers.setField(image, "mTimestamp", frame.nanos);
    ReflectionHelpers.setField(image, "mIsImageValid", true);
    acquired().add(image);
    return SUCCESS;
  }

  private List<Object> acquired() {
    return ReflectionHelpers.getField(real, "mAcquiredImages");
  }

  @Implementation
  protected void releaseImage(Image image) {
    OfImage shadow = image.getClass().getName().equals(IMAGE) ? Shadow.extract(image) : null;
    if (shadow == null || shadow.frame == null) {
      reflector(Methods.class, real).releaseImage(image);
      return;
    }
    shadow.frame = null;
    ReflectionHelpers.setField(image, "mPlanes", null);
    ReflectionHelpers.setField(image, "mIsImageValid", false);
    acquired().remove(image);
  }

  @ForType(ImageReader.class)
  private interface Methods {
    @Direct
    Surface getSurface();

    @Direct
    int acquireNextSurfaceImage(@org.robolectric.util.reflector.WithType(IMAGE) Object image);

    @Direct
    void releaseImage(Image image);
  }

  /** A picture that a reader has handed out. */
  @Implements(
      className = IMAGE,
      minSdk = 26,
      isInAndroidSdk = false,
      callNativeMethodsByDefault = true)
  public static class OfImage extends org.robolectric.shadows.ShadowNativeImageReaderSurfaceImage {
    @RealObject private Image image;
    private Frame frame;

    @Implementation
    protected Image.Plane[] getPlanes() {
      if (frame == null) {
        return reflector(ImageMethods.class, image).getPlanes();
      }
      Image.Plane[] planes = ReflectionHelpers.getField(image, "mPlanes");
      if (planes == null) {
        planes = makePlanes();
        ReflectionHelpers.setField(image, "mPlanes", planes);
      }
      return planes.clone();
    }

    private Image.Plane[] makePlanes() {
      Class<?> type =
          ReflectionHelpers.loadClass(Image.class.getClassLoader(), IMAGE + "$SurfacePlane");
      Image.Plane[] planes = (Image.Plane[]) Array.newInstance(type, frame.planes.length);
      for (int i = 0; i < planes.length; i++) {
        Plane plane = frame.planes[i];
        planes[i] =
            (Image.Plane)
                ReflectionHelpers.callConstructor(
                    type,
                    ClassParameter.from(image.getClass(), image),
                    ClassParameter.from(int.class, plane.rowStride),
                    ClassParameter.from(int.class, plane.pixelStride),
                    ClassParameter.from(ByteBuffer.class, CameraTargets.buffer(plane.content)));
      }
      return planes;
    }

    private ImageReader reader() {
      return ReflectionHelpers.getField(image, "this$0");
    }

    @Implementation
    protected int getWidth() {
      return frame == null ? reflector(ImageMethods.class, image).getWidth() : reader().getWidth();
    }

    @Implementation
    protected int getHeight() {
      return frame == null
          ? reflector(ImageMethods.class, image).getHeight()
          : reader().getHeight();
    }

    @Implementation
    protected int getFormat() {
      return frame == null
          ? reflector(ImageMethods.class, image).getFormat()
          : reader().getImageFormat();
    }
  }

  @ForType(className = IMAGE)
  private interface ImageMethods {
    @Direct
    Image.Plane[] getPlanes();

    @Direct
    int getWidth();

    @Direct
    int getHeight();

    @Direct
    int getFormat();
  }
}
