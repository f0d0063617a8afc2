// A media player as libmedia has it: which call is allowed in which state, and what it leads to.
// Calls answer with a status as they do there; what happens later is told through the listener.
// Prepared media play silence for as long as they last.
package dev.retap.agent.shadow.media;

import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

final class NativePlayer {
  static final int OK = 0;
  static final int UNKNOWN_ERROR = Integer.MIN_VALUE;
  static final int INVALID_OPERATION = -38;
  static final int BAD_VALUE = -22;

  // The messages that libmedia sends.
  private static final int PREPARED_MESSAGE = 1;
  private static final int COMPLETE_MESSAGE = 2;
  private static final int SEEK_MESSAGE = 4;
  private static final int SIZE_MESSAGE = 5;
  private static final int ERROR_MESSAGE = 100;
  private static final int MEDIA_ERROR_UNKNOWN = 1;

  private static final int PREPARE_MILLIS = 50;
  private static final int SEEK_MILLIS = 20;

  private enum State {
    IDLE,
    INITIALIZED,
    PREPARING,
    PREPARED,
    STARTED,
    PAUSED,
    STOPPED,
    COMPLETE,
    ERROR
  }

  private static final Set<State> HAS_PLAYED =
      EnumSet.of(State.PREPARED, State.STARTED, State.PAUSED, State.COMPLETE);

  /** Hears what happens later. */
  interface Listener {
    void tell(int message, int first, int second);
  }

  private final Handler clock = new Handler(Looper.getMainLooper());
  private final Runnable completion = this::complete;
  private final Listener listener;
  private State state = State.IDLE;
  private MediaBytes source;
  private MediaDescription media;
  private NativePlayer next;
  private boolean isLooping;
  private float speed = 1;
  private long startedAt;
  private long position;

  NativePlayer(Listener listener) {
    this.listener = listener;
  }

  int setSource(MediaBytes bytes) {
    if (state != State.IDLE && state != State.ERROR) {
      return INVALID_OPERATION;
    }
    source = bytes;
    state = State.INITIALIZED;
    return OK;
  }

  /** Prepares at once. Returns the status that a waiting call gets. */
  int prepare() {
    if (state != State.INITIALIZED && state != State.STOPPED) {
      return INVALID_OPERATION;
    }
    if (!open()) {
      state = State.ERROR;
      return MEDIA_ERROR_UNKNOWN;
    }
    becomePrepared();
    return OK;
  }

  /** Prepares later. */
  int prepareLater() {
    if (state != State.INITIALIZED && state != State.STOPPED) {
      return INVALID_OPERATION;
    }
    state = State.PREPARING;
    later(
        PREPARE_MILLIS,
        () -> {
          if (state != State.PREPARING) {
            return;
          }
          if (open()) {
            becomePrepared();
          } else {
            fail(MEDIA_ERROR_UNKNOWN, UNKNOWN_ERROR);
          }
        });
    return OK;
  }

  private boolean open() {
    try {
      media = MediaDescription.read(source);
    } catch (IOException e) {
      media = null;
    }
    return media != null;
  }

  private void becomePrepared() {
    state = State.PREPARED;
    position = 0;
    if (media.isVideo()) {
      listener.tell(SIZE_MESSAGE, media.width(), media.height());
    }
    listener.tell(PREPARED_MESSAGE, 0, 0);
  }

  /** Enters the state of error, and says so. */
  void fail(int what, int extra) {
    state = State.ERROR;
    listener.tell(ERROR_MESSAGE, what, extra);
  }

  int start() {
    if (state == State.STARTED) {
      return OK;
    }
    if (!HAS_PLAYED.contains(state)) {
      return INVALID_OPERATION;
    }
    if (state == State.COMPLETE) {
      position = 0;
    }
    state = State.STARTED;
    play();
    return OK;
  }

  private void play() {
    clock.removeCallbacks(completion);
    startedAt = SystemClock.uptimeMillis();
    if (!isLooping && speed > 0) {
      later((long) ((media.millis() - position) / speed), completion);
    }
  }

  private void complete() {
    if (state != State.STARTED || isLooping) {
      return;
    }
    position = media.millis();
    state = State.COMPLETE;
    if (next != null) {
      next.start();
    }
    listener.tell(COMPLETE_MESSAGE, 0, 0);
  }

  int pause() {
    if (state == State.PAUSED || state == State.COMPLETE) {
      return OK;
    }
    if (state != State.STARTED) {
      return INVALID_OPERATION;
    }
    position = position();
    state = State.PAUSED;
    clock.removeCallbacks(completion);
    return OK;
  }

  int stop() {
    if (state == State.STOPPED) {
      return OK;
    }
    if (!HAS_PLAYED.contains(state)) {
      return INVALID_OPERATION;
    }
    position = 0;
    state = State.STOPPED;
    clock.removeCallbacks(completion);
    return OK;
  }

  int seek(long millis) {
    if (!HAS_PLAYED.contains(state)) {
      return INVALID_OPERATION;
    }
    position = Math.max(0, Math.min(millis, media.millis()));
    if (state == State.STARTED) {
      play();
    }
    later(SEEK_MILLIS, () -> listener.tell(SEEK_MESSAGE, 0, 0));
    return OK;
  }

  int reset() {
    clock.removeCallbacksAndMessages(null);
    state = State.IDLE;
    source = null;
    media = null;
    next = null;
    position = 0;
    isLooping = false;
    speed = 1;
    return OK;
  }

  void setLooping(boolean looping) {
    boolean wasStarted = state == State.STARTED;
    if (wasStarted) {
      position = position();
    }
    isLooping = looping;
    if (wasStarted) {
      play();
    }
  }

  boolean isLooping() {
    return isLooping;
  }

  int setSpeed(float factor) {
    if (factor < 0) {
      return BAD_VALUE;
    }
    if (!HAS_PLAYED.contains(state)) {
      return state == State.IDLE ? INVALID_OPERATION : OK;
    }
    if (factor == 0) {
      return state == State.STARTED ? pause() : OK;
    }
    if (state == State.STARTED) {
      position = position();
    }
    speed = factor;
    state = State.STARTED;
    play();
    return OK;
  }

  int setNext(NativePlayer player) {
    if (source == null) {
      return INVALID_OPERATION;
    }
    boolean isReady =
        player == null || player.state != State.STARTED && HAS_PLAYED.contains(player.state);
    if (!isReady) {
      return INVALID_OPERATION;
    }
    next = player;
    return OK;
  }

  boolean isPlaying() {
    return state == State.STARTED;
  }

  boolean isIdle() {
    return state == State.IDLE;
  }

  /** Whether the media are known: they are prepared, play or have played. */
  boolean hasPlayed() {
    return HAS_PLAYED.contains(state);
  }

  boolean hasSource() {
    return source != null;
  }

  /** Returns null before the media are prepared. */
  MediaDescription media() {
    return media;
  }

  /** Whether the length can be asked for. */
  boolean knowsLength() {
    return hasPlayed() || state == State.STOPPED;
  }

  int position() {
    if (state != State.STARTED) {
      return (int) position;
    }
    long played = (long) ((SystemClock.uptimeMillis() - startedAt) * speed);
    long reached = position + played;
    if (isLooping && media.millis() > 0) {
      return (int) (reached % media.millis());
    }
    return (int) Math.min(media.millis(), reached);
  }

  private void later(long millis, Runnable action) {
    clock.postDelayed(action, Math.max(0, millis));
  }
}
