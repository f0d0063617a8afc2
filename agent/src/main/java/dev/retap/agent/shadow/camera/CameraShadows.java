// The shadows of this package that need surfaces.
package dev.retap.agent.shadow.camera;

import java.util.List;

public final class CameraShadows {
  private CameraShadows() {}

  public static List<Class<?>> ofFrames() {
    return List.of(
        CameraMetadataShadow.class,
        ImageReaderShadow.class,
        ImageReaderShadow.OfImage.class,
        SurfaceUtilsShadow.class);
  }
}
