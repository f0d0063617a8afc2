// A phone without a camera, as the old camera interface reports it. Ordinary phones have one, so
// whatever an app does without it is noted.
package dev.retap.agent.shadow;

import android.hardware.Camera;
import dev.retap.agent.world.MissingCalls;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowCamera;

@Implements(Camera.class)
public class CameraShadow extends ShadowCamera {
  @Implementation
  protected static int getNumberOfCameras() {
    lacking("getNumberOfCameras");
    return 0;
  }

  @Implementation
  protected static Camera open() {
    lacking("open");
    return null;
  }

  @Implementation
  protected static Camera open(int id) {
    lacking("open");
    throw new RuntimeException("Fail to connect to camera service");
  }

  private static void lacking(String method) {
    MissingCalls.noteLack(Camera.class.getName() + "." + method);
  }
}
