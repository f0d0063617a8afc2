// The part of the system that opens cameras of the newer interface (camera2). An opened camera is
// the framework's own CameraDeviceImpl with CameraUser behind it.
package dev.retap.agent.device.system.camera;

import android.Manifest;
import android.content.Context;
import android.content.pm.PackageManager;
import android.hardware.camera2.CameraDevice;
import android.hardware.camera2.impl.CameraDeviceImpl;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.shadow.camera.CameraManagerShadow;
import org.robolectric.RuntimeEnvironment;

public final class CameraServer {
  private CameraServer() {}

  /** Answers the framework's camera managers. */
  public static void install() {
    CameraManagerShadow.setServer(CameraServer::open);
  }

  /** Opens a camera. The framework's half tells the app. */
  private static CameraDevice open(CameraManagerShadow.Opening opening) {
    Context context = RuntimeEnvironment.getApplication();
    int granted = context.checkSelfPermission(Manifest.permission.CAMERA);
    if (granted != PackageManager.PERMISSION_GRANTED) {
      throw BinderStub.refuse(
          "validateClientPermissionsLocked: Callers must have camera permission to open camera \"%s\""
              .formatted(opening.id()));
    }
    CameraDeviceImpl device =
        (CameraDeviceImpl)
            FrameworkCalls.construct(
                CameraDeviceImpl.class,
                opening.id(),
                opening.callback(),
                opening.executor(),
                opening.described().get(),
                opening.manager(),
                context.getApplicationInfo().targetSdkVersion,
                context);
    CameraUser user = new CameraUser(opening.isBack(), device.getCallbacks());
    FrameworkCalls.call(device, "setRemoteDevice", user.binder());
    return device;
  }
}
