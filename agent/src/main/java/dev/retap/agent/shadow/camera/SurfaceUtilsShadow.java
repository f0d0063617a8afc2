// What the camera's service asks of the surfaces that it is to write to.
package dev.retap.agent.shadow.camera;

import android.graphics.ImageFormat;
import android.util.Size;
import android.view.Surface;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(className = "android.hardware.camera2.utils.SurfaceUtils", isInAndroidSdk = false)
public class SurfaceUtilsShadow {
  /** The camera's own name for pictures that are packed. */
  private static final int BLOB = 0x21;

  /** The camera chooses the format of what is shown. */
  private static final int OF_CAMERA = 0x22;

  private static final int JFIF = 0x8c20000;

  @Implementation
  protected static boolean isSurfaceForPreview(Surface surface) {
    return CameraTargets.format(surface) == 0;
  }

  @Implementation
  protected static boolean isSurfaceForHwVideoEncoder(Surface surface) {
    return false;
  }

  @Implementation
  protected static boolean isFlexibleConsumer(Surface surface) {
    return false;
  }

  @Implementation
  protected static long getSurfaceId(Surface surface) {
    return System.identityHashCode(surface);
  }

  @Implementation
  protected static long getSurfaceUsage(Surface surface) {
    return 0;
  }

  @Implementation
  protected static Size getSurfaceSize(Surface surface) {
    if (!surface.isValid()) {
      throw new IllegalArgumentException("Surface was abandoned");
    }
    return CameraTargets.size(surface);
  }

  @Implementation
  protected static int getSurfaceFormat(Surface surface) {
    int format = CameraTargets.format(surface);
    return switch (format) {
      case 0 -> OF_CAMERA;
      case ImageFormat.JPEG -> BLOB;
      default -> format;
    };
  }

  @Implementation
  protected static int getSurfaceDataspace(Surface surface) {
    return CameraTargets.format(surface) == ImageFormat.JPEG ? JFIF : 0;
  }
}
