// A phone without a camera, as the old camera interface reports it.
package dev.retap.agent.shadow;

import android.hardware.Camera;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowCamera;

@Implements(Camera.class)
public class CameraShadow extends ShadowCamera {
  @Implementation
  protected static int getNumberOfCameras() {
    return 0;
  }

  @Implementation
  protected static Camera open() {
    return null;
  }

  @Implementation
  protected static Camera open(int id) {
    throw new RuntimeException("Fail to connect to camera service");
  }
}
