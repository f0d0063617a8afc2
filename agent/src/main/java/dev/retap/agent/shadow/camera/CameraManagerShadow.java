// The newer camera interface: it describes the same two cameras and lets the phone's server open
// them. Below API 26, where no surface is played, another app always uses the cameras; what an app
// does then is noted.
package dev.retap.agent.shadow.camera;

import android.graphics.ImageFormat;
import android.graphics.Rect;
import android.hardware.camera2.CameraAccessException;
import android.hardware.camera2.CameraCharacteristics;
import android.hardware.camera2.CameraDevice;
import android.hardware.camera2.CameraManager;
import android.hardware.camera2.CameraMetadata;
import android.hardware.camera2.params.StreamConfigurationMap;
import android.os.Handler;
import android.util.Range;
import android.util.Rational;
import android.util.Size;
import android.util.SizeF;
import dev.retap.agent.world.MissingCalls;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowCameraCharacteristics;
import org.robolectric.shadows.ShadowCameraManager;
import org.robolectric.shadows.StreamConfigurationMapBuilder;

@Implements(CameraManager.class)
public class CameraManagerShadow extends ShadowCameraManager {
  private static final String BACK = "0";
  private static final String FRONT = "1";

  /** The format of JPEG pictures inside the camera's service. */
  private static final int BLOB = 0x21;

  private static final Size[] PREVIEWS = {
    new Size(1280, 720), new Size(640, 480), new Size(320, 240), new Size(176, 144)
  };
  private static final Size[] PICTURES = {
    new Size(1600, 1200), new Size(1280, 960), new Size(1280, 720), new Size(640, 480)
  };
  private static final Size SENSOR = new Size(1600, 1200);

  /**
   * A camera that the app opens.
   *
   * @param executor runs the callback; below API 28 a handler
   */
  public record Opening(
      String id,
      boolean isBack,
      CameraDevice.StateCallback callback,
      Object executor,
      Supplier<CameraCharacteristics> described,
      CameraManager manager) {}

  private static Function<Opening, CameraDevice> server;

  /** Tells the app that the camera is in use instead of handing it over. */
  private static final class Busy extends CameraDevice.StateCallback {
    private final CameraDevice.StateCallback app;

    Busy(CameraDevice.StateCallback app) {
      this.app = app;
      MissingCalls.noteLack(CameraManager.class.getName() + ".openCamera");
    }

    @Override
    public void onOpened(CameraDevice camera) {
      app.onError(camera, ERROR_CAMERA_IN_USE);
    }

    @Override
    public void onDisconnected(CameraDevice camera) {
      app.onDisconnected(camera);
    }

    @Override
    public void onError(CameraDevice camera, int error) {
      app.onError(camera, error);
    }

    @Override
    public void onClosed(CameraDevice camera) {
      app.onClosed(camera);
    }
  }

  @RealObject private CameraManager real;

  /** Sets who opens cameras. */
  public static void setServer(Function<Opening, CameraDevice> server) {
    CameraManagerShadow.server = server;
  }

  @Override
  @Implementation
  protected String[] getCameraIdList() {
    return new String[] {BACK, FRONT};
  }

  @Override
  @Implementation
  protected CameraCharacteristics getCameraCharacteristics(String id) {
    if (!id.equals(BACK) && !id.equals(FRONT)) {
      throw new IllegalArgumentException("Camera ID " + id + " does not exist.");
    }
    return describe(id.equals(BACK));
  }

  @Override
  @Implementation(minSdk = 34, maxSdk = 34)
  protected CameraDevice openCameraDeviceUserAsync(
      String id,
      CameraDevice.StateCallback callback,
      Executor executor,
      int uid,
      int offset,
      boolean portrait) {
    return open(id, callback, executor);
  }

  @Override
  @Implementation(minSdk = 35)
  protected CameraDevice openCameraDeviceUserAsync(
      String id,
      CameraDevice.StateCallback callback,
      Executor executor,
      int uid,
      int offset,
      int rotation) {
    return open(id, callback, executor);
  }

  @Override
  @Implementation(minSdk = 31, maxSdk = 33)
  protected CameraDevice openCameraDeviceUserAsync(
      String id, CameraDevice.StateCallback callback, Executor executor, int uid, int offset) {
    return open(id, callback, executor);
  }

  @Override
  @Implementation(minSdk = 28, maxSdk = 30)
  protected CameraDevice openCameraDeviceUserAsync(
      String id, CameraDevice.StateCallback callback, Executor executor, int uid) {
    return open(id, callback, executor);
  }

  @Override
  @Implementation(minSdk = 25, maxSdk = 27)
  protected CameraDevice openCameraDeviceUserAsync(
      String id, CameraDevice.StateCallback callback, Handler handler, int uid)
      throws CameraAccessException {
    return RuntimeEnvironment.getApiLevel() < 26
        ? super.openCameraDeviceUserAsync(id, new Busy(callback), handler, uid)
        : open(id, callback, handler);
  }

  @Override
  @Implementation(maxSdk = 24)
  protected CameraDevice openCameraDeviceUserAsync(
      String id, CameraDevice.StateCallback callback, Handler handler)
      throws CameraAccessException {
    return super.openCameraDeviceUserAsync(id, new Busy(callback), handler);
  }

  private CameraDevice open(String id, CameraDevice.StateCallback callback, Object executor) {
    return server.apply(
        new Opening(
            id, id.equals(BACK), callback, executor, () -> getCameraCharacteristics(id), real));
  }

  private static CameraCharacteristics describe(boolean isBack) {
    CameraCharacteristics described = ShadowCameraCharacteristics.newCameraCharacteristics();
    ShadowCameraCharacteristics values = Shadow.extract(described);
    values.set(
        CameraCharacteristics.LENS_FACING,
        isBack ? CameraMetadata.LENS_FACING_BACK : CameraMetadata.LENS_FACING_FRONT);
    values.set(
        CameraCharacteristics.SENSOR_ORIENTATION,
        isBack ? CameraShadow.BACK_ORIENTATION : CameraShadow.FRONT_ORIENTATION);
    values.set(
        CameraCharacteristics.INFO_SUPPORTED_HARDWARE_LEVEL,
        CameraMetadata.INFO_SUPPORTED_HARDWARE_LEVEL_LEGACY);
    values.set(CameraCharacteristics.REQUEST_AVAILABLE_CAPABILITIES, new int[] {0});
    values.set(CameraCharacteristics.SCALER_STREAM_CONFIGURATION_MAP, streams());
    values.set(CameraCharacteristics.SCALER_AVAILABLE_MAX_DIGITAL_ZOOM, 4f);
    values.set(
        CameraCharacteristics.SENSOR_INFO_ACTIVE_ARRAY_SIZE,
        new Rect(0, 0, SENSOR.getWidth(), SENSOR.getHeight()));
    values.set(CameraCharacteristics.SENSOR_INFO_PIXEL_ARRAY_SIZE, SENSOR);
    values.set(CameraCharacteristics.SENSOR_INFO_PHYSICAL_SIZE, new SizeF(4.0f, 3.0f));
    values.set(CameraCharacteristics.LENS_INFO_AVAILABLE_FOCAL_LENGTHS, new float[] {3.5f});
    values.set(CameraCharacteristics.FLASH_INFO_AVAILABLE, isBack);
    values.set(
        CameraCharacteristics.CONTROL_AF_AVAILABLE_MODES,
        isBack ? new int[] {0, 1, 2, 3, 4} : new int[] {0});
    values.set(
        CameraCharacteristics.CONTROL_AE_AVAILABLE_MODES,
        isBack ? new int[] {1, 2, 3} : new int[] {1});
    values.set(CameraCharacteristics.CONTROL_AWB_AVAILABLE_MODES, new int[] {1, 2, 3, 5, 6});
    values.set(CameraCharacteristics.CONTROL_AVAILABLE_EFFECTS, new int[] {0, 1, 2, 4});
    values.set(
        CameraCharacteristics.CONTROL_AE_AVAILABLE_TARGET_FPS_RANGES,
        new Range<?>[] {Range.create(15, 15), Range.create(15, 30), Range.create(30, 30)});
    values.set(CameraCharacteristics.CONTROL_AE_COMPENSATION_RANGE, Range.create(-6, 6));
    values.set(CameraCharacteristics.CONTROL_AE_COMPENSATION_STEP, new Rational(1, 3));
    values.set(CameraCharacteristics.CONTROL_MAX_REGIONS_AE, isBack ? 1 : 0);
    values.set(CameraCharacteristics.CONTROL_MAX_REGIONS_AF, isBack ? 1 : 0);
    values.set(CameraCharacteristics.STATISTICS_INFO_MAX_FACE_COUNT, 0);
    return described;
  }

  private static StreamConfigurationMap streams() {
    StreamConfigurationMapBuilder map = StreamConfigurationMapBuilder.newBuilder();
    for (Size preview : PREVIEWS) {
      map.addOutputSize(preview);
      map.addOutputSize(ImageFormat.YUV_420_888, preview);
    }
    for (Size picture : PICTURES) {
      map.addOutputSize(BLOB, picture);
    }
    return map.build();
  }
}
