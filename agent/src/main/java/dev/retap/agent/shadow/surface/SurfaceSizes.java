// The sizes of surfaces, for those who write to them.
package dev.retap.agent.shadow.surface;

import android.util.Size;
import android.view.Surface;

public final class SurfaceSizes {
  private SurfaceSizes() {}

  public static Size of(Surface surface) {
    return SurfaceShadow.of(surface).size();
  }
}
