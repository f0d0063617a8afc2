// Targets of the app's rewritten calls that need Android: ending the process ends only the app,
// and SystemClock's sleep cannot be interrupted. The class is public because the app's classes
// come from another class loader.
package dev.retap.agent.device.app;

import android.os.Environment;
import android.os.Process;
import android.os.SystemClock;
import dev.retap.agent.device.outcome.StepEnding;
import dev.retap.agent.world.Blocking;
import dev.retap.agent.world.ClockReadings;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.function.IntConsumer;
import org.robolectric.RuntimeEnvironment;

public final class AppCalls {
  private static final long MAX_MEMORY = 256L << 20;
  private static final long TOTAL_MEMORY = 24L << 20;
  private static final long FREE_MEMORY = 8L << 20;
  private static final long LOOK_NANOS = 1_000_000;

  /** The computing time of each thread. */
  private static final Map<Thread, Long> COMPUTED =
      Collections.synchronizedMap(new WeakHashMap<>());

  private static IntConsumer others = pid -> {};

  private AppCalls() {}

  /** Sets who ends the process of this id, if it is one of the app's beside the main one. */
  public static void setOthers(IntConsumer kill) {
    others = kill;
  }

  /** Returns the environment variables of an app's process on a phone. */
  public static Map<String, String> environment() {
    Map<String, String> variables = new TreeMap<>();
    variables.put("ANDROID_ASSETS", "/system/app");
    variables.put("ANDROID_DATA", "/data");
    variables.put("ANDROID_ROOT", "/system");
    variables.put("ANDROID_STORAGE", "/storage");
    variables.put("EXTERNAL_STORAGE", Environment.getExternalStorageDirectory().getPath());
    variables.put("PATH", "/sbin:/system/sbin:/system/bin:/system/xbin:/vendor/bin:/vendor/xbin");
    return Collections.unmodifiableMap(variables);
  }

  public static String environment(String name) {
    return environment().get(name);
  }

  /** Returns the loader of the framework's classes, which are the system's on a phone. */
  public static ClassLoader systemClassLoader() {
    ClassLoader own = RuntimeEnvironment.getApplication().getClassLoader();
    return own instanceof AppClassLoader app ? app.system() : own;
  }

  /** Returns the type of key stores on a phone. The JDK's own stores keep theirs. */
  public static String keyStoreType() {
    return "BKS";
  }

  /** Returns how large the heap may grow; the same as ActivityManager.getMemoryClass. */
  public static long maxMemory(Runtime runtime) {
    return MAX_MEMORY;
  }

  /** Returns a size of the heap that depends on no collector. */
  public static long totalMemory(Runtime runtime) {
    return TOTAL_MEMORY;
  }

  public static long freeMemory(Runtime runtime) {
    return FREE_MEMORY;
  }

  public static void exit(int code) {
    StepEnding.exit(Integer.toString(code));
  }

  public static void exit(Runtime runtime, int code) {
    exit(code);
  }

  public static void killProcess(int pid) {
    if (pid == Process.myPid()) {
      StepEnding.exit("killed");
    }
    others.accept(pid);
  }

  /** Forgets the threads of an ended process. */
  static void renew() {
    COMPUTED.clear();
  }

  /** Returns false: only the system may set the clock. */
  public static boolean setClock(long millis) {
    return false;
  }

  /**
   * Returns the time that the thread has spent computing. Each look costs some, so that a loop
   * which waits for it ends; waiting costs none.
   */
  public static long threadNanos() {
    return COMPUTED.merge(Thread.currentThread(), LOOK_NANOS, Long::sum);
  }

  public static long threadMillis() {
    return threadNanos() / 1_000_000;
  }

  public static long uptimeMillis() {
    ClockReadings.take();
    return SystemClock.uptimeMillis();
  }

  public static long elapsedRealtime() {
    ClockReadings.take();
    return SystemClock.elapsedRealtime();
  }

  public static long elapsedRealtimeNanos() {
    return Blocking.readNanoTime();
  }

  /** Sleeps as SystemClock does: an interrupt is kept for later. */
  public static void sleep(long millis) {
    try {
      Blocking.sleep(Math.max(0, millis));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
