// The priorities of threads as the kernel keeps them, and the process's share of the processor.
package dev.retap.agent.shadow.system;

import android.os.Process;
import android.os.SystemClock;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowProcess;

@Implements(Process.class)
public class ProcessShadow extends ShadowProcess {
  private static final int HIGHEST = -20;
  private static final int LOWEST = 19;

  /** The users of a phone that are no apps; each is a group, too. */
  private static final Map<String, Integer> USERS =
      Map.of(
          "root", 0,
          "system", 1000,
          "radio", 1001,
          "bluetooth", 1002,
          "log", 1007,
          "sdcard_rw", 1015,
          "shell", 2000,
          "cache", 2001,
          "inet", 3003,
          "nobody", 9999);

  /** Sets a priority; the kernel takes the nearest that there is. */
  @Implementation
  protected static void setThreadPriority(int thread, int priority) {
    if (thread < 0) {
      throw new IllegalArgumentException("Given thread " + thread + " does not exist");
    }
    ShadowProcess.setThreadPriority(thread, Math.max(HIGHEST, Math.min(LOWEST, priority)));
  }

  @Implementation
  protected static int getThreadPriority(int thread) {
    if (thread < 0) {
      throw new IllegalArgumentException("Given thread " + thread + " does not exist");
    }
    return ShadowProcess.getThreadPriority(thread);
  }

  @Implementation
  protected static int getUidForName(String name) {
    return name.matches("[0-9]{1,9}") ? Integer.parseInt(name) : USERS.getOrDefault(name, -1);
  }

  @Implementation
  protected static int getGidForName(String name) {
    return getUidForName(name);
  }

  /** Returns a tenth of the time: an app mostly waits. */
  @Implementation
  protected static long getElapsedCpuTime() {
    return Math.max(1, SystemClock.uptimeMillis() / 10);
  }
}
