// Answers for the visualizer as a phone does before any sound. Robolectric leaves these methods to
// native code that is missing here.
package dev.retap.agent.shadow.system;

import android.media.audiofx.Visualizer;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowVisualizer;

@Implements(Visualizer.class)
public class VisualizerShadow extends ShadowVisualizer {
  private static final int SMALLEST = 128;
  private static final int LARGEST = 1024;
  private static final int MILLIHERTZ = 20_000;

  @Implementation
  protected static int[] getCaptureSizeRange() {
    return new int[] {SMALLEST, LARGEST};
  }

  @Implementation
  protected static int getMaxCaptureRate() {
    return MILLIHERTZ;
  }
}
