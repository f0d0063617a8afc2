// A phone without a camera, as the newer camera interface reports it.
package dev.retap.agent.shadow;

import android.hardware.camera2.CameraAccessException;
import android.hardware.camera2.CameraManager;
import dev.retap.agent.world.MissingCalls;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowCameraManager;

@Implements(CameraManager.class)
public class CameraManagerShadow extends ShadowCameraManager {
  @Override
  @Implementation
  protected String[] getCameraIdList() throws CameraAccessException {
    MissingCalls.noteLack(CameraManager.class.getName() + ".getCameraIdList");
    return super.getCameraIdList();
  }
}
