// The native half of the old camera interface: two cameras that look at a still scene. A preview
// delivers a few frames when it starts, and after each focus, and then falls silent, so that an app
// which watches it comes to rest.
package dev.retap.agent.shadow.camera;

import android.Manifest;
import android.content.pm.PackageManager;
import android.graphics.SurfaceTexture;
import android.hardware.Camera;
import android.os.Handler;
import android.os.Looper;
import android.view.Surface;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@Implements(Camera.class)
public class CameraShadow {
  static final int CAMERAS = 2;
  static final int BACK_ORIENTATION = 90;
  static final int FRONT_ORIENTATION = 270;

  private static final int ACCESS_DENIED = -13;
  private static final int NO_DEVICE = -19;
  private static final int FRAMES = 5;
  private static final int FRAME_MILLIS = 66;
  private static final int FOCUS_MILLIS = 200;
  private static final int PICTURE_MILLIS = 200;

  // The messages of the camera's service.
  private static final int SHUTTER = 0x2;
  private static final int FOCUS = 0x4;
  private static final int PREVIEW_FRAME = 0x10;
  private static final int RAW_IMAGE = 0x80;
  private static final int COMPRESSED_IMAGE = 0x100;

  private final ArrayDeque<byte[]> buffers = new ArrayDeque<>();
  private WeakReference<?> camera;
  private CameraSettings settings;
  private boolean isPreviewing;
  private boolean wantsFrames;
  private boolean usesBuffers;
  private boolean isFrameDue;
  private int framesLeft;

  @Implementation(maxSdk = 34)
  protected static int getNumberOfCameras() {
    return CAMERAS;
  }

  @Implementation(minSdk = 35)
  protected static int _getNumberOfCameras(int device, int policy) {
    return CAMERAS;
  }

  @Implementation
  protected static void _getCameraInfo(int id, Camera.CameraInfo info) {
    describe(id, info);
  }

  @Implementation
  protected static void _getCameraInfo(int id, boolean portrait, Camera.CameraInfo info) {
    describe(id, info);
  }

  @Implementation
  protected static void _getCameraInfo(
      int id, int rotation, int device, int policy, Camera.CameraInfo info) {
    describe(id, info);
  }

  private static void describe(int id, Camera.CameraInfo info) {
    if (id < 0 || id >= CAMERAS) {
      throw new RuntimeException("Fail to get camera info");
    }
    boolean isBack = id == Camera.CameraInfo.CAMERA_FACING_BACK;
    info.facing = id;
    info.orientation = isBack ? BACK_ORIENTATION : FRONT_ORIENTATION;
    info.canDisableShutterSound = true;
  }

  @Implementation
  protected int native_setup(Object self, int id, int version, String packageName) {
    return open(self, id);
  }

  @Implementation
  protected int native_setup(Object self, int id, String packageName) {
    return open(self, id);
  }

  @Implementation
  protected int native_setup(Object self, int id, String packageName, boolean portrait) {
    return open(self, id);
  }

  @Implementation
  protected int native_setup(
      Object self, int id, String packageName, boolean portrait, boolean slowJpeg) {
    return open(self, id);
  }

  @Implementation
  protected int native_setup(
      Object self,
      int id,
      String packageName,
      int rotation,
      boolean slowJpeg,
      int device,
      int policy) {
    return open(self, id);
  }

  private int open(Object self, int id) {
    int granted =
        RuntimeEnvironment.getApplication().checkSelfPermission(Manifest.permission.CAMERA);
    if (granted != PackageManager.PERMISSION_GRANTED) {
      return ACCESS_DENIED;
    }
    if (id < 0 || id >= CAMERAS) {
      return NO_DEVICE;
    }
    camera = (WeakReference<?>) self;
    settings = new CameraSettings(id == Camera.CameraInfo.CAMERA_FACING_FRONT);
    return 0;
  }

  @Implementation
  protected void native_release() {
    settings = null;
    isPreviewing = false;
    buffers.clear();
  }

  @Implementation
  protected void lock() {
    checkOpen();
  }

  @Implementation
  protected void unlock() {
    checkOpen();
  }

  @Implementation
  protected void reconnect() {
    checkOpen();
  }

  @Implementation
  protected void setPreviewSurface(Surface surface) {
    checkOpen();
  }

  @Implementation
  protected void setPreviewTexture(SurfaceTexture texture) {
    checkOpen();
  }

  @Implementation
  protected void setPreviewCallbackSurface(Surface surface) {
    checkOpen();
  }

  @Implementation
  protected void startPreview() {
    checkOpen();
    isPreviewing = true;
    framesLeft = FRAMES;
    deliverSoon();
  }

  @Implementation
  protected void _stopPreview() {
    checkOpen();
    isPreviewing = false;
  }

  @Implementation
  protected boolean previewEnabled() {
    checkOpen();
    return isPreviewing;
  }

  @Implementation
  protected void setHasPreviewCallback(boolean installed, boolean manualBuffer) {
    checkOpen();
    wantsFrames = installed;
    usesBuffers = manualBuffer;
    deliverSoon();
  }

  @Implementation
  protected void _addCallbackBuffer(byte[] buffer, int message) {
    checkOpen();
    if (message == PREVIEW_FRAME && buffer != null) {
      buffers.add(buffer);
      deliverSoon();
    }
  }

  @Implementation
  protected void native_autoFocus() {
    checkPreviewing("autoFocus failed");
    framesLeft = FRAMES;
    deliverSoon();
    tell(FOCUS_MILLIS, FOCUS, 1, null);
  }

  @Implementation
  protected void native_cancelAutoFocus() {
    checkOpen();
  }

  @Implementation
  protected void native_takePicture(int messages) {
    checkPreviewing("takePicture failed");
    isPreviewing = false;
    CameraSettings taken = settings;
    if ((messages & SHUTTER) != 0) {
      tell(PICTURE_MILLIS, SHUTTER, 0, null);
    }
    if ((messages & RAW_IMAGE) != 0) {
      tell(PICTURE_MILLIS, RAW_IMAGE, 0, null);
    }
    if ((messages & COMPRESSED_IMAGE) != 0) {
      tell(PICTURE_MILLIS, COMPRESSED_IMAGE, 0, taken.picture());
    }
  }

  @Implementation
  protected void native_setParameters(String flattened) {
    checkOpen();
    if (!settings.set(flattened)) {
      throw new RuntimeException("setParameters failed");
    }
  }

  @Implementation
  protected String native_getParameters() {
    checkOpen();
    return settings.flatten();
  }

  @Implementation
  protected void setDisplayOrientation(int degrees) {
    checkOpen();
    if (degrees < 0 || degrees > 270 || degrees % 90 != 0) {
      throw new RuntimeException("set display orientation failed");
    }
  }

  @Implementation
  protected void startSmoothZoom(int value) {
    checkOpen();
    throw new IllegalArgumentException("invalid zoom value=" + value);
  }

  @Implementation
  protected void stopSmoothZoom() {
    checkOpen();
  }

  @Implementation
  protected boolean _enableShutterSound(boolean enabled) {
    checkOpen();
    return true;
  }

  @Implementation
  protected void _startFaceDetection(int type) {
    checkOpen();
    throw new IllegalArgumentException("invalid face detection type=" + type);
  }

  @Implementation
  protected void _stopFaceDetection() {
    checkOpen();
  }

  @Implementation
  protected void enableFocusMoveCallback(int enabled) {
    checkOpen();
  }

  private void deliverSoon() {
    boolean canDeliver = isPreviewing && wantsFrames && (!usesBuffers || !buffers.isEmpty());
    if (canDeliver && !isFrameDue && framesLeft > 0) {
      isFrameDue = true;
      new Handler(Looper.getMainLooper()).postDelayed(this::deliver, FRAME_MILLIS);
    }
  }

  private void deliver() {
    isFrameDue = false;
    if (!isPreviewing || !wantsFrames) {
      return;
    }
    byte[] frame = StillScene.frame(settings.previewWidth(), settings.previewHeight());
    if (usesBuffers) {
      byte[] buffer = buffers.poll();
      if (buffer == null || buffer.length < frame.length) {
        return;
      }
      System.arraycopy(frame, 0, buffer, 0, frame.length);
      frame = buffer;
    } else {
      // The framework asks for each frame.
      wantsFrames = false;
    }
    framesLeft--;
    tell(0, PREVIEW_FRAME, 0, frame);
    deliverSoon();
  }

  /** Sends a message to the framework's half, as the camera's service does. */
  private void tell(int delayMillis, int message, int argument, Object content) {
    WeakReference<?> receiver = camera;
    Runnable post =
        () ->
            ReflectionHelpers.callStaticMethod(
                Camera.class,
                "postEventFromNative",
                ClassParameter.from(Object.class, receiver),
                ClassParameter.from(int.class, message),
                ClassParameter.from(int.class, argument),
                ClassParameter.from(int.class, 0),
                ClassParameter.from(Object.class, content));
    if (delayMillis == 0) {
      post.run();
    } else {
      new Handler(Looper.getMainLooper()).postDelayed(post, delayMillis);
    }
  }

  private void checkPreviewing(String failure) {
    checkOpen();
    if (!isPreviewing) {
      throw new RuntimeException(failure);
    }
  }

  private void checkOpen() {
    if (settings == null) {
      throw new RuntimeException("Camera is being used after Camera.release() was called");
    }
  }
}
