// The shadows of this package that apply on an API level.
package dev.retap.agent.shadow.graphics;

import dev.retap.agent.shadow.animator.RenderAnimatorShadow;
import dev.retap.agent.shadow.animator.RenderAnimators;
import dev.retap.agent.shadow.camera.CameraMetadataShadow;
import dev.retap.agent.shadow.camera.CameraShadows;
import dev.retap.agent.shadow.surface.GLSurfaceViewShadow;
import dev.retap.agent.shadow.surface.SurfaceFrames;
import dev.retap.agent.shadow.surface.SurfaceShadow;
import dev.retap.agent.shadow.surface.SurfaceTextureShadow;
import dev.retap.agent.shadow.surface.SurfaceViewShadow;
import dev.retap.agent.shadow.surface.TextureViewShadow;
import dev.retap.agent.shadow.surface.VideoViewShadow;
import dev.retap.agent.shadow.system.NativeAllocationRegistryShadow;
import java.util.ArrayList;
import java.util.List;

public final class GraphicsShadows {
  /** The first API level with real bitmaps and matrices. */
  private static final int FIRST_WITH_GRAPHICS = 26;

  /** The last API level whose paints cut off what is too large. */
  private static final int LAST_WITH_OLD_PAINT = 28;

  private GraphicsShadows() {}

  /** Forgets what the shadows keep of a process. Robolectric resets only its own. */
  public static void reset() {
    ViewRootImplShadow.forget();
    SurfaceFrames.forget();
    TextureViewShadow.forget();
    RenderAnimators.forget();
    CameraMetadataShadow.forget();
  }

  public static List<Class<?>> of(int apiLevel) {
    List<Class<?>> shadows =
        new ArrayList<>(
            List.of(
                FrameSignalShadow.class,
                MovieShadow.class,
                VelocityTrackerShadow.class,
                View3dShadow.class,
                ViewRootImplShadow.class,
                YuvImageShadow.class));
    if (apiLevel >= FIRST_WITH_GRAPHICS) {
      shadows.add(BitmapRegionDecoderShadow.class);
      shadows.add(NativeAllocationRegistryShadow.class);
      shadows.add(NinePatchShadow.class);
      shadows.add(TypefaceShadow.class);
      shadows.add(VectorAnimatorShadow.class);
      shadows.add(SurfaceShadow.class);
      shadows.add(SurfaceTextureShadow.class);
      shadows.add(SurfaceViewShadow.class);
      shadows.add(GLSurfaceViewShadow.class);
      shadows.add(VideoViewShadow.class);
      shadows.add(TextureViewShadow.class);
      shadows.addAll(CameraShadows.ofFrames());
      shadows.add(apiLevel < 30 ? RenderAnimatorShadow.Before30.class : RenderAnimatorShadow.class);
      if (apiLevel <= LAST_WITH_OLD_PAINT) {
        shadows.add(OldPaintShadow.class);
      }
    }
    return shadows;
  }
}
