// Reports the mounted volumes: the shared storage with all below it, and nothing else.
package dev.retap.agent.shadow;

import android.os.Environment;
import java.io.File;
import java.io.IOException;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowEnvironment;

@Implements(Environment.class)
public class EnvironmentShadow extends ShadowEnvironment {
  @Implementation
  protected static String getExternalStorageState(File path) {
    return isShared(path) ? Environment.getExternalStorageState() : Environment.MEDIA_UNKNOWN;
  }

  @Implementation
  protected static String getStorageState(File path) {
    return getExternalStorageState(path);
  }

  @Implementation
  protected static boolean isExternalStorageEmulated(File path) {
    return requireShared(path) && Environment.isExternalStorageEmulated();
  }

  @Implementation
  protected static boolean isExternalStorageRemovable(File path) {
    return requireShared(path) && Environment.isExternalStorageRemovable();
  }

  /** Throws, as a phone does, if the path is on no volume. */
  private static boolean requireShared(File path) {
    if (!isShared(path)) {
      throw new IllegalArgumentException("Failed to find storage device at " + path);
    }
    return true;
  }

  private static boolean isShared(File path) {
    try {
      return path.getCanonicalFile()
          .toPath()
          .startsWith(Environment.getExternalStorageDirectory().toPath());
    } catch (IOException e) {
      return false;
    }
  }
}
