// What the app's rewritten calls reach when they need Android: an end of the process that ends only
// the app, and sleeps that cannot be interrupted. Public, because the app's classes come from
// another loader.
package dev.retap.agent.device;

import android.os.Process;
import dev.retap.agent.world.Blocking;

public final class AppCalls {
  private AppCalls() {}

  public static void exit(int code) {
    Endings.exit(Integer.toString(code));
  }

  public static void exit(Runtime runtime, int code) {
    exit(code);
  }

  public static void killProcess(int pid) {
    if (pid == Process.myPid()) {
      Endings.exit("killed");
    }
  }

  /** SystemClock's: an interrupt is kept for later. */
  public static void sleep(long millis) {
    try {
      Blocking.sleep(Math.max(0, millis));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
