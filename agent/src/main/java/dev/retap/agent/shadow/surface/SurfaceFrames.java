// The pace of an app that draws on a surface, or sends sound: a frame takes its place on the
// display
// before the next one begins. An app that does so for ever gets 1.5 virtual seconds of frames and
// then a
// few in each event, further apart than the time after which an app is at rest. It is never
// stopped, because it may hold a lock that others wait for.
package dev.retap.agent.shadow.surface;

import android.os.SystemClock;
import dev.retap.agent.world.Blocking;

public final class SurfaceFrames {
  private static final int FRAME_MILLIS = 16;
  private static final int SLOW_FRAME_MILLIS = 300;
  private static final int OWN_FRAMES_MILLIS = 1_500;
  private static final int RESTLESS_FRAMES_MILLIS = 100;

  /** The time that certainly passes before the app may rest. */
  private static volatile long waitedUntil;

  private long nextFrame;
  private boolean restless;

  /** Begins an event, or a part of one. */
  public static void allowFrames(long until) {
    waitedUntil = until;
  }

  /** Forgets the process that has ended. */
  public static void forget() {
    waitedUntil = 0;
  }

  public void awaitNext() {
    long wait;
    synchronized (this) {
      wait = nextFrame - SystemClock.uptimeMillis();
    }
    if (wait > 0) {
      try {
        Blocking.sleep(wait);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  public synchronized void notePosted() {
    nextFrame = SystemClock.uptimeMillis() + stretch(FRAME_MILLIS);
  }

  /**
   * Returns how long to wait before something that is done again and again: as long as it takes, or
   * longer once it has been done for long.
   */
  public synchronized long stretch(long millis) {
    long now = SystemClock.uptimeMillis();
    long limit = waitedUntil + (restless ? RESTLESS_FRAMES_MILLIS : OWN_FRAMES_MILLIS);
    restless = restless || now >= limit;
    return now >= limit ? Math.max(millis, SLOW_FRAME_MILLIS) : millis;
  }
}
