// A line to the loudspeaker as libaudioclient has it: a buffer that empties at the pace of the
// sound
// while the track plays. Whoever writes more than it holds waits.
package dev.retap.agent.shadow.media;

import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import dev.retap.agent.shadow.surface.SurfaceFrames;
import dev.retap.agent.world.Blocking;

final class NativeTrack {
  private static final int MARKER_MESSAGE = 3;
  private static final int PERIOD_MESSAGE = 4;

  /** Hears that the sound has come to a place. */
  interface Listener {
    void tell(int message);
  }

  private final Handler clock = new Handler(Looper.getMainLooper());
  private final SurfaceFrames pace = new SurfaceFrames();
  private final Listener listener;
  private final SoundFormat format;
  private final boolean isStatic;
  private final int bufferBytes;
  private boolean plays;
  private boolean isStopped = true;
  private long startedAt;
  private long playedFrames;
  private long writtenBytes;
  private int marker;
  private int period;

  NativeTrack(SoundFormat format, boolean isStatic, int bufferBytes, Listener listener) {
    this.format = format;
    this.isStatic = isStatic;
    this.bufferBytes = Math.max(format.frameBytes(), bufferBytes);
    this.listener = listener;
  }

  int bufferFrames() {
    return bufferBytes / format.frameBytes();
  }

  synchronized void start() {
    if (!plays) {
      playedFrames = isStopped ? 0 : played();
      writtenBytes = isStopped && !isStatic ? Math.min(writtenBytes, bufferBytes) : writtenBytes;
      plays = true;
      isStopped = false;
      startedAt = SystemClock.uptimeMillis();
      watch();
    }
  }

  synchronized void pause() {
    playedFrames = played();
    plays = false;
    clock.removeCallbacksAndMessages(null);
  }

  synchronized void stop() {
    pause();
    isStopped = true;
    if (!isStatic) {
      writtenBytes = 0;
      playedFrames = 0;
    }
  }

  synchronized void flush() {
    if (!plays && !isStatic) {
      writtenBytes = 0;
      playedFrames = 0;
    }
  }

  /** Returns the frames that were heard since the start. */
  synchronized long position() {
    return isStopped ? 0 : played();
  }

  private long played() {
    long heard = playedFrames;
    if (plays) {
      heard += format.frames(SystemClock.uptimeMillis() - startedAt);
    }
    return Math.min(heard, writtenBytes / format.frameBytes());
  }

  /** Writes bytes and waits for room if it may. Returns how many were written. */
  int write(int bytes, boolean waits) {
    long wait;
    synchronized (this) {
      if (isStatic) {
        writtenBytes = Math.min(bytes, bufferBytes);
        return (int) writtenBytes;
      }
      long room = Math.max(0, bufferBytes - (writtenBytes - played() * format.frameBytes()));
      if (bytes <= room) {
        add(bytes);
        return bytes;
      }
      if (!waits || !plays) {
        add(room);
        return (int) room;
      }
      wait = pace.stretch(format.millis(bytes - room));
    }
    try {
      Blocking.sleep(wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      add(bytes);
    }
    return bytes;
  }

  /** Adds what was written. Sound that came too late does not make the rest sound faster. */
  private void add(long bytes) {
    playedFrames = played();
    startedAt = SystemClock.uptimeMillis();
    writtenBytes += bytes;
  }

  synchronized void setMarker(int frames) {
    marker = frames;
    watch();
  }

  synchronized int marker() {
    return marker;
  }

  synchronized void setPeriod(int frames) {
    period = frames;
    watch();
  }

  synchronized int period() {
    return period;
  }

  /** Tells the listener when the sound has come to the marker, and after each period. */
  private void watch() {
    clock.removeCallbacksAndMessages(null);
    if (!plays) {
      return;
    }
    if (marker > played()) {
      clock.postDelayed(() -> listener.tell(MARKER_MESSAGE), millisTo(marker - played()));
    }
    if (period > 0) {
      repeat();
    }
  }

  private void repeat() {
    clock.postDelayed(
        () -> {
          listener.tell(PERIOD_MESSAGE);
          synchronized (this) {
            if (plays && period > 0) {
              repeat();
            }
          }
        },
        pace.stretch(millisTo(period)));
  }

  private long millisTo(long frames) {
    return format.millis(frames * format.frameBytes());
  }
}
