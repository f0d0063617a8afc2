// The camera's service behind an opened camera of the newer interface (camera2). The framework's
// own CameraDeviceImpl asks it for streams and frames; it delivers the still scene to the surfaces
// and tells what a phone's service tells, in its order. A repeating request gets a few frames when
// it starts, and after each picture, and then none, so that an app which watches it comes to rest.
package dev.retap.agent.device.system.camera;

import android.hardware.camera2.CameraMetadata;
import android.hardware.camera2.CaptureRequest;
import android.hardware.camera2.CaptureResult;
import android.hardware.camera2.impl.CameraMetadataNative;
import android.os.Handler;
import android.os.HandlerThread;
import android.os.SystemClock;
import android.view.Surface;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.shadow.camera.CameraTargets;
import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.Deque;

final class CameraUser {
  private static final int FRAMES = 5;
  private static final int FRAME_MILLIS = 33;
  private static final long NO_FRAME = -1;
  private static final String PACKAGE = "android.hardware.camera2.";

  /** Requests that were submitted together. */
  private record Burst(int id, CaptureRequest[] requests) {}

  private final boolean isBack;
  private final Object callbacks;
  private final HandlerThread thread = new HandlerThread("Binder:camera");
  private final Handler service;
  private final Deque<Burst> waiting = new ArrayDeque<>();
  private Burst repeating;
  private int framesLeft;
  private int nextId;
  private int nextStream;
  private long nextFrame;
  private boolean isFrameDue;
  private boolean isFocusLocked;

  /**
   * @param callbacks the camera's ICameraDeviceCallbacks
   */
  CameraUser(boolean isBack, Object callbacks) {
    this.isBack = isBack;
    this.callbacks = callbacks;
    thread.start();
    service = new Handler(thread.getLooper());
  }

  /** Returns the service as ICameraDeviceUser. */
  Object binder() {
    return new BinderStub()
        .on("submitRequest", call -> submit(call.first(CaptureRequest.class), call.flag(0)))
        .on("submitRequestList", call -> submit(call.first(CaptureRequest[].class), call.flag(0)))
        .on("cancelRequest", this::cancel)
        .on("flush", call -> flush())
        .on("createStream", call -> nextStream++)
        .on("endConfigure", CameraUser::streamsOfNoSession)
        .on("isSessionConfigurationSupported", call -> true)
        .on("createDefaultRequest", call -> defaults(call.number(0)))
        .on("disconnect", call -> thread.quit())
        .as(FrameworkCalls.type(PACKAGE + "ICameraDeviceUser"));
  }

  private static Object streamsOfNoSession(BinderCall call) {
    return call.method().getReturnType() == int[].class ? new int[0] : null;
  }

  private Object submit(CaptureRequest request, boolean repeats) {
    return submit(new CaptureRequest[] {request}, repeats);
  }

  /** Takes requests; returns their number and the last frame of what they replace, or their own. */
  private synchronized Object submit(CaptureRequest[] requests, boolean repeats) {
    Burst burst = new Burst(nextId++, requests);
    long last;
    if (repeats) {
      last = repeating == null ? NO_FRAME : nextFrame - 1;
      repeating = burst;
    } else {
      waiting.add(burst);
      last = nextFrame - 1;
      for (Burst each : waiting) {
        last += each.requests.length;
      }
    }
    framesLeft = FRAMES;
    deliverSoon();
    return FrameworkCalls.construct(
        FrameworkCalls.type(PACKAGE + "utils.SubmitInfo"), burst.id, last);
  }

  private synchronized Object cancel(BinderCall call) {
    if (repeating != null && repeating.id == call.number(0)) {
      repeating = null;
      service.post(this::tellIfIdle);
    }
    return nextFrame - 1;
  }

  private synchronized Object flush() {
    waiting.clear();
    repeating = null;
    service.post(this::tellIfIdle);
    return nextFrame - 1;
  }

  private void deliverSoon() {
    if (!isFrameDue && (!waiting.isEmpty() || repeating != null && framesLeft > 0)) {
      isFrameDue = true;
      service.postDelayed(this::deliver, FRAME_MILLIS);
    }
  }

  private void deliver() {
    Burst burst;
    synchronized (this) {
      isFrameDue = false;
      boolean isSingle = !waiting.isEmpty();
      burst = isSingle ? waiting.poll() : repeating;
      framesLeft -= isSingle ? 0 : 1;
    }
    for (int i = 0; burst != null && i < burst.requests.length; i++) {
      expose(burst, i);
    }
    synchronized (this) {
      deliverSoon();
    }
    tellIfIdle();
  }

  private void expose(Burst burst, int index) {
    CaptureRequest request = burst.requests[index];
    long frame;
    synchronized (this) {
      frame = nextFrame++;
    }
    long now = SystemClock.elapsedRealtimeNanos();
    Object extras =
        FrameworkCalls.construct(
            FrameworkCalls.type(PACKAGE + "impl.CaptureResultExtras"),
            burst.id,
            index,
            0,
            0,
            frame,
            1,
            -1,
            NO_FRAME,
            NO_FRAME,
            NO_FRAME);
    FrameworkCalls.call(callbacks, "onCaptureStarted", extras, now);
    CameraMetadataNative result = request.getNativeCopy();
    for (Surface surface : request.getTargets()) {
      CameraTargets.expose(surface, quality(result), now);
    }
    describe(result, now);
    Object physical =
        Array.newInstance(FrameworkCalls.type(PACKAGE + "impl.PhysicalCaptureResultInfo"), 0);
    FrameworkCalls.call(callbacks, "onResultReceived", result, extras, physical);
  }

  private static int quality(CameraMetadataNative settings) {
    Byte quality = settings.get(CaptureRequest.JPEG_QUALITY);
    return quality == null || quality <= 0 ? 90 : quality;
  }

  /** Adds what the camera has done to the settings that it was given. */
  private void describe(CameraMetadataNative result, long now) {
    Integer focus = result.get(CaptureRequest.CONTROL_AF_TRIGGER);
    Integer mode = result.get(CaptureRequest.CONTROL_AF_MODE);
    Integer exposure = result.get(CaptureRequest.CONTROL_AE_PRECAPTURE_TRIGGER);
    if (is(focus, CameraMetadata.CONTROL_AF_TRIGGER_START)) {
      isFocusLocked = true;
    } else if (is(focus, CameraMetadata.CONTROL_AF_TRIGGER_CANCEL)) {
      isFocusLocked = false;
    }
    boolean isFixed = !isBack || is(mode, CameraMetadata.CONTROL_AF_MODE_OFF);
    int focused = isFocusLocked ? CameraMetadata.CONTROL_AF_STATE_FOCUSED_LOCKED : unlocked(mode);
    result.set(
        CaptureResult.CONTROL_AF_STATE,
        isFixed ? CameraMetadata.CONTROL_AF_STATE_INACTIVE : focused);
    result.set(
        CaptureResult.CONTROL_AE_STATE,
        is(exposure, CameraMetadata.CONTROL_AE_PRECAPTURE_TRIGGER_START)
            ? CameraMetadata.CONTROL_AE_STATE_PRECAPTURE
            : CameraMetadata.CONTROL_AE_STATE_CONVERGED);
    result.set(CaptureResult.CONTROL_AWB_STATE, CameraMetadata.CONTROL_AWB_STATE_CONVERGED);
    result.set(CaptureResult.LENS_STATE, CameraMetadata.LENS_STATE_STATIONARY);
    result.set(CaptureResult.SENSOR_TIMESTAMP, now);
    result.set(CaptureResult.SENSOR_EXPOSURE_TIME, 10_000_000L);
    result.set(CaptureResult.SENSOR_SENSITIVITY, 100);
  }

  /**
   * Returns the state of a focus that nobody has locked: those that go on by themselves are done.
   */
  private static int unlocked(Integer mode) {
    boolean isContinuous =
        is(mode, CameraMetadata.CONTROL_AF_MODE_CONTINUOUS_PICTURE)
            || is(mode, CameraMetadata.CONTROL_AF_MODE_CONTINUOUS_VIDEO);
    return isContinuous
        ? CameraMetadata.CONTROL_AF_STATE_PASSIVE_FOCUSED
        : CameraMetadata.CONTROL_AF_STATE_INACTIVE;
  }

  private static boolean is(Integer value, int wanted) {
    return value != null && value == wanted;
  }

  private void tellIfIdle() {
    boolean isIdle;
    synchronized (this) {
      isIdle = waiting.isEmpty() && repeating == null && !isFrameDue;
    }
    if (isIdle) {
      FrameworkCalls.call(callbacks, "onDeviceIdle");
    }
  }

  /** Returns the settings of a template, as CameraDevice.TEMPLATE_… numbers them. */
  private Object defaults(int template) {
    CameraMetadataNative settings = new CameraMetadataNative();
    settings.set(CaptureRequest.CONTROL_CAPTURE_INTENT, template);
    settings.set(CaptureRequest.CONTROL_MODE, CameraMetadata.CONTROL_MODE_AUTO);
    settings.set(CaptureRequest.CONTROL_AE_MODE, CameraMetadata.CONTROL_AE_MODE_ON);
    settings.set(CaptureRequest.CONTROL_AWB_MODE, CameraMetadata.CONTROL_AWB_MODE_AUTO);
    settings.set(
        CaptureRequest.CONTROL_AF_MODE,
        isBack
            ? CameraMetadata.CONTROL_AF_MODE_CONTINUOUS_PICTURE
            : CameraMetadata.CONTROL_AF_MODE_OFF);
    settings.set(CaptureRequest.CONTROL_AF_TRIGGER, CameraMetadata.CONTROL_AF_TRIGGER_IDLE);
    settings.set(
        CaptureRequest.CONTROL_AE_PRECAPTURE_TRIGGER,
        CameraMetadata.CONTROL_AE_PRECAPTURE_TRIGGER_IDLE);
    settings.set(CaptureRequest.CONTROL_AE_EXPOSURE_COMPENSATION, 0);
    settings.set(CaptureRequest.CONTROL_EFFECT_MODE, CameraMetadata.CONTROL_EFFECT_MODE_OFF);
    settings.set(CaptureRequest.FLASH_MODE, CameraMetadata.FLASH_MODE_OFF);
    settings.set(CaptureRequest.JPEG_ORIENTATION, 0);
    settings.set(CaptureRequest.JPEG_QUALITY, (byte) 90);
    return settings;
  }
}
