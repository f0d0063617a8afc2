// The native methods of the media recorder: as on a phone a wrong call is an exception, and a
// released recorder refuses everything.
package dev.retap.agent.shadow.media;

import android.graphics.SurfaceTexture;
import android.hardware.Camera;
import android.media.MediaRecorder;
import android.os.Parcel;
import android.os.PersistableBundle;
import android.view.Surface;
import java.io.File;
import java.io.FileDescriptor;
import java.util.ArrayList;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@Implements(MediaRecorder.class)
public class MediaRecorderShadow {
  private static final int MOST_SOUND_SOURCES = 11;
  private static final int RADIO = 1998;
  private static final int HOT_WORD = 1999;
  private static final int MOST_PICTURE_SOURCES = 3;
  private static final int MOST_FORMATS = 12;
  private static final int MOST_ENCODERS = 9;

  @RealObject private MediaRecorder real;

  /** Null once the recorder is released. */
  private NativeRecorder recorder;

  private boolean isPrivate;

  @Implementation
  protected static void __staticInitializer__() {}

  @Implementation
  protected void native_setup(Object self, String clientName, String packageName) {
    setUp(self);
  }

  @Implementation
  protected void native_setup(Object self, String clientName, Parcel attribution) {
    setUp(self);
  }

  private void setUp(Object self) {
    recorder =
        new NativeRecorder(
            (message, what, extra) ->
                ReflectionHelpers.callStaticMethod(
                    MediaRecorder.class,
                    "postEventFromNative",
                    ClassParameter.from(Object.class, self),
                    ClassParameter.from(int.class, message),
                    ClassParameter.from(int.class, what),
                    ClassParameter.from(int.class, extra),
                    ClassParameter.from(Object.class, null)));
  }

  private NativeRecorder recorder() {
    if (recorder == null) {
      throw new IllegalStateException();
    }
    return recorder;
  }

  /** Throws what the native method throws for a status. */
  private static void check(int status, String call) {
    if (status == NativeRecorder.INVALID_OPERATION) {
      throw new IllegalStateException();
    }
    if (status != NativeRecorder.OK) {
      throw new RuntimeException(call + " failed.");
    }
  }

  private static void checkArgument(boolean isValid, String what) {
    if (!isValid) {
      throw new IllegalArgumentException("Invalid " + what);
    }
  }

  @Implementation
  protected void setCamera(Camera camera) {
    recorder();
  }

  @Implementation
  protected Surface getSurface() {
    if (!recorder().isFromSurface()) {
      throw new IllegalStateException("failed to get surface");
    }
    return new Surface(new SurfaceTexture(0));
  }

  @Implementation
  protected void setAudioSource(int source) {
    boolean isKnown = source >= 0 && source < MOST_SOUND_SOURCES;
    checkArgument(isKnown || source == RADIO || source == HOT_WORD, "audio source");
    check(recorder().setSoundSource(), "setAudioSource");
  }

  @Implementation
  protected void setVideoSource(int source) {
    checkArgument(source >= 0 && source < MOST_PICTURE_SOURCES, "video source");
    check(recorder().setPictureSource(source), "setVideoSource");
  }

  @Implementation
  protected void setOutputFormat(int format) {
    checkArgument(format >= 0 && format < MOST_FORMATS, "output format");
    check(recorder().setFormat(format), "setOutputFormat");
  }

  @Implementation
  protected void setAudioEncoder(int encoder) {
    checkArgument(encoder >= 0 && encoder < MOST_ENCODERS, "audio encoder");
    check(recorder().setSoundEncoder(), "setAudioEncoder");
  }

  @Implementation
  protected void setVideoEncoder(int encoder) {
    checkArgument(encoder >= 0 && encoder < MOST_ENCODERS, "video encoder");
    check(recorder().setPictureEncoder(), "setVideoEncoder");
  }

  @Implementation
  protected void setVideoSize(int width, int height) {
    check(recorder().setSize(width, height), "setVideoSize");
  }

  @Implementation
  protected void setVideoFrameRate(int rate) {
    check(recorder().setPictures(), "setVideoFrameRate");
  }

  @Implementation
  protected void setMaxDuration(int millis) {
    check(recorder().setLongest(millis), "setMaxDuration");
  }

  @Implementation
  protected void setMaxFileSize(long bytes) {
    check(recorder().setParameter(), "setMaxFileSize");
  }

  @Implementation
  protected void setParameter(String parameter) {
    check(recorder().setParameter(), "setParameter");
  }

  @Implementation
  protected void _setOutputFile(FileDescriptor open) {
    if (open == null) {
      throw new IllegalArgumentException();
    }
    String path = ReflectionHelpers.getField(real, "mPath");
    File file = path != null ? new File(path) : fileOfRecorder();
    check(recorder().setFile(new RecordedFile(file, file == null ? open : null)), "setOutputFile");
  }

  /** Returns the file that the app has named, which the framework closes at once. */
  private File fileOfRecorder() {
    try {
      return ReflectionHelpers.getField(real, "mFile");
    } catch (RuntimeException e) {
      // Before API 26 there were only paths and descriptors.
      return null;
    }
  }

  @Implementation
  protected void _setNextOutputFile(FileDescriptor open) {
    recorder();
  }

  @Implementation
  protected void _prepare() {
    check(recorder().prepare(), "prepare");
  }

  @Implementation
  protected void start() {
    check(recorder().start(), "start");
  }

  @Implementation
  protected void stop() {
    check(recorder().stop(), "stop");
  }

  @Implementation
  protected void pause() {
    check(recorder().pause(), "pause");
  }

  @Implementation
  protected void resume() {
    check(recorder().resume(), "resume");
  }

  @Implementation
  protected void native_reset() {
    recorder().reset();
  }

  @Implementation
  protected void release() {
    if (recorder != null) {
      recorder.reset();
      recorder = null;
    }
  }

  @Implementation
  protected void native_finalize() {
    release();
  }

  @Implementation
  protected int getMaxAmplitude() {
    int loudest = recorder().loudest();
    check(Math.min(loudest, NativeRecorder.OK), "getMaxAmplitude");
    return loudest;
  }

  @Implementation
  protected void setPrivacySensitive(boolean isPrivate) {
    recorder();
    this.isPrivate = isPrivate;
  }

  @Implementation
  protected boolean isPrivacySensitive() {
    return isPrivate;
  }

  @Implementation
  protected boolean native_setInputDevice(int device) {
    return true;
  }

  @Implementation
  protected int native_getRoutedDeviceId() {
    return 0;
  }

  @Implementation
  protected int native_getPortId() {
    return 1;
  }

  @Implementation
  protected int native_getActiveMicrophones(ArrayList<?> microphones) {
    return NativeRecorder.OK;
  }

  @Implementation
  protected PersistableBundle native_getMetrics() {
    return new PersistableBundle();
  }
}
