// Answers for the visualizer as a phone does before any sound, and as it does to an app that may
// not record. Robolectric leaves these methods to native code that is missing here.
package dev.retap.agent.shadow.system;

import android.content.pm.PackageManager;
import android.media.audiofx.Visualizer;
import android.os.Build;
import android.os.Parcel;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowVisualizer;

@Implements(Visualizer.class)
public class VisualizerShadow extends ShadowVisualizer {
  private static final int SMALLEST = 128;
  private static final int LARGEST = 1024;
  private static final int MILLIHERTZ = 20_000;

  /** What a phone answers to an app that may not record. */
  private static final int NOT_INITIALIZED = -3;

  @Implementation(maxSdk = Build.VERSION_CODES.R)
  protected int native_setup(Object visualizer, int session, int[] id, String packageName) {
    return setUp();
  }

  @Implementation(minSdk = Build.VERSION_CODES.S)
  protected int native_setup(Object visualizer, int session, int[] id, Parcel attribution) {
    return setUp();
  }

  private static int setUp() {
    int granted =
        RuntimeEnvironment.getApplication()
            .checkSelfPermission(android.Manifest.permission.RECORD_AUDIO);
    return granted == PackageManager.PERMISSION_GRANTED ? Visualizer.SUCCESS : NOT_INITIALIZED;
  }

  @Implementation
  protected static int[] getCaptureSizeRange() {
    return new int[] {SMALLEST, LARGEST};
  }

  @Implementation
  protected static int getMaxCaptureRate() {
    return MILLIHERTZ;
  }
}
