// A media recorder as libmedia has it: which call is allowed in which state, and what is missing
// before the next. It records silence for as long as it runs.
package dev.retap.agent.shadow.media;

import android.Manifest;
import android.content.pm.PackageManager;
import android.media.MediaRecorder;
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import java.util.EnumSet;
import java.util.Set;
import org.robolectric.RuntimeEnvironment;

final class NativeRecorder {
  static final int OK = 0;
  static final int INVALID_OPERATION = -38;
  static final int BAD_VALUE = -22;
  static final int PERMISSION_DENIED = -1;

  /** The error of a file without a single frame. */
  private static final int MALFORMED = -1007;

  private static final int SHORTEST_LIMIT_MILLIS = 100;

  /** The time until the encoders have delivered something. */
  private static final int FIRST_FRAME_MILLIS = 100;

  /** The samples of a room in which nobody speaks. */
  private static final int QUIET_ROOM = 120;

  private static final int INFO_MESSAGE = 2;

  private enum State {
    IDLE,
    INITIALIZED,
    CONFIGURED,
    PREPARED,
    RECORDING,
    PAUSED,
    ERROR
  }

  private static final Set<State> AT_WORK = EnumSet.of(State.RECORDING, State.PAUSED);

  /** Hears what happens later. */
  interface Listener {
    void tell(int message, int what, int extra);
  }

  private final Handler clock = new Handler(Looper.getMainLooper());
  private final Listener listener;
  private State state = State.IDLE;
  private boolean hasSound;
  private boolean hasPictures;
  private boolean hasSoundEncoder;
  private boolean hasPictureEncoder;
  private boolean isFromSurface;
  private boolean wasLoud;
  private int format;
  private int width;
  private int height;
  private int longestMillis;
  private RecordedFile file;
  private long startedAt;
  private long recordedMillis;

  NativeRecorder(Listener listener) {
    this.listener = listener;
  }

  int setSoundSource() {
    int status = setSource(hasSound, Manifest.permission.RECORD_AUDIO);
    hasSound |= status == OK;
    return status;
  }

  int setPictureSource(int source) {
    boolean isSurface = source == MediaRecorder.VideoSource.SURFACE;
    int status = setSource(hasPictures, isSurface ? null : Manifest.permission.CAMERA);
    hasPictures |= status == OK;
    isFromSurface = hasPictures && isSurface;
    return status;
  }

  private int setSource(boolean isSet, String permission) {
    if (state == State.IDLE) {
      state = State.INITIALIZED;
    }
    if (isSet || state != State.INITIALIZED) {
      return INVALID_OPERATION;
    }
    return permission == null || isGranted(permission) ? OK : PERMISSION_DENIED;
  }

  private static boolean isGranted(String permission) {
    return RuntimeEnvironment.getApplication().checkSelfPermission(permission)
        == PackageManager.PERMISSION_GRANTED;
  }

  int setFormat(int format) {
    if (state != State.INITIALIZED || hasPictures && !RecordedFile.takesPictures(format)) {
      return INVALID_OPERATION;
    }
    this.format = format;
    state = State.CONFIGURED;
    return OK;
  }

  int setSoundEncoder() {
    if (state != State.CONFIGURED || !hasSound || hasSoundEncoder) {
      return INVALID_OPERATION;
    }
    hasSoundEncoder = true;
    return OK;
  }

  int setPictureEncoder() {
    if (state != State.CONFIGURED || !hasPictures || hasPictureEncoder) {
      return INVALID_OPERATION;
    }
    hasPictureEncoder = true;
    return OK;
  }

  /** Checks whether the size or pace of pictures can be set now. */
  int setPictures() {
    return state == State.CONFIGURED && hasPictures ? OK : INVALID_OPERATION;
  }

  int setSize(int width, int height) {
    int status = setPictures();
    if (status == OK) {
      this.width = width;
      this.height = height;
    }
    return status;
  }

  /** Checks whether a parameter can be set now. */
  int setParameter() {
    boolean isLate = state == State.PREPARED || state == State.ERROR || AT_WORK.contains(state);
    return isLate ? INVALID_OPERATION : OK;
  }

  int setLongest(int millis) {
    int status = setParameter();
    if (status != OK) {
      return status;
    }
    if (millis > 0 && millis <= SHORTEST_LIMIT_MILLIS) {
      return BAD_VALUE;
    }
    longestMillis = millis;
    return OK;
  }

  int setFile(RecordedFile file) {
    if (this.file != null || state != State.CONFIGURED) {
      return INVALID_OPERATION;
    }
    this.file = file;
    return OK;
  }

  int prepare() {
    if (state != State.CONFIGURED
        || hasSound != hasSoundEncoder
        || hasPictures != hasPictureEncoder) {
      return INVALID_OPERATION;
    }
    state = State.PREPARED;
    return OK;
  }

  int start() {
    if (state != State.PREPARED) {
      return INVALID_OPERATION;
    }
    state = State.RECORDING;
    startedAt = SystemClock.uptimeMillis();
    recordedMillis = 0;
    if (longestMillis > 0) {
      clock.postDelayed(this::reachLongest, longestMillis);
    }
    return OK;
  }

  private void reachLongest() {
    if (AT_WORK.contains(state)) {
      listener.tell(INFO_MESSAGE, MediaRecorder.MEDIA_RECORDER_INFO_MAX_DURATION_REACHED, 0);
    }
  }

  int pause() {
    if (!AT_WORK.contains(state)) {
      return INVALID_OPERATION;
    }
    recordedMillis = recorded();
    state = State.PAUSED;
    return OK;
  }

  int resume() {
    if (!AT_WORK.contains(state)) {
      return INVALID_OPERATION;
    }
    if (state == State.PAUSED) {
      startedAt = SystemClock.uptimeMillis();
      state = State.RECORDING;
    }
    return OK;
  }

  private long recorded() {
    return recordedMillis + (state == State.RECORDING ? SystemClock.uptimeMillis() - startedAt : 0);
  }

  /** Ends the recording. A movie without a frame is an error, as on a phone. */
  int stop() {
    if (!AT_WORK.contains(state)) {
      return INVALID_OPERATION;
    }
    long millis = recorded();
    if (longestMillis > 0) {
      millis = Math.min(millis, longestMillis);
    }
    if (millis < FIRST_FRAME_MILLIS && RecordedFile.takesPictures(format)) {
      state = State.ERROR;
      return MALFORMED;
    }
    if (file != null) {
      file.write(format, millis, hasPictures ? width : 0, hasPictures ? height : 0);
    }
    forget();
    return OK;
  }

  /** Begins anew. */
  void reset() {
    forget();
  }

  private void forget() {
    clock.removeCallbacksAndMessages(null);
    state = State.IDLE;
    hasSound = false;
    hasPictures = false;
    hasSoundEncoder = false;
    hasPictureEncoder = false;
    isFromSurface = false;
    wasLoud = false;
    longestMillis = 0;
    file = null;
  }

  boolean isFromSurface() {
    return isFromSurface;
  }

  /** Returns the loudest sample since the last look, or an error below zero. */
  int loudest() {
    if (state == State.ERROR) {
      return INVALID_OPERATION;
    }
    if (!AT_WORK.contains(state) || !hasSound) {
      return 0;
    }
    boolean isFirst = !wasLoud;
    wasLoud = true;
    return isFirst ? 0 : QUIET_ROOM;
  }
}
