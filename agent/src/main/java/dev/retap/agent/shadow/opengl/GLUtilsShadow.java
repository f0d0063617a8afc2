// Bitmaps as textures: their formats, and that they were taken.
package dev.retap.agent.shadow.opengl;

import android.graphics.Bitmap;
import android.opengl.GLES20;
import android.opengl.GLUtils;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(GLUtils.class)
public class GLUtilsShadow {
  @Implementation
  protected static int native_getInternalFormat(Bitmap bitmap) {
    return switch (bitmap.getConfig()) {
      case ALPHA_8 -> GLES20.GL_ALPHA;
      case RGB_565 -> GLES20.GL_RGB;
      default -> GLES20.GL_RGBA;
    };
  }

  @Implementation
  protected static int native_getType(Bitmap bitmap) {
    return bitmap.getConfig() == Bitmap.Config.RGB_565
        ? GLES20.GL_UNSIGNED_SHORT_5_6_5
        : GLES20.GL_UNSIGNED_BYTE;
  }

  @Implementation
  protected static int native_texImage2D(
      int target, int level, int format, Bitmap bitmap, int type, int border) {
    return 0;
  }

  @Implementation
  protected static int native_texSubImage2D(
      int target, int level, int x, int y, Bitmap bitmap, int format, int type) {
    return 0;
  }
}
