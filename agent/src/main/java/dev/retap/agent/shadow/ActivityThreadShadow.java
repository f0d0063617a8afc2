// Replaces the methods of the framework's ActivityThread that cannot run on the embedded device.
package dev.retap.agent.shadow;

import android.app.ActivityThread;
import android.app.LoadedApk;
import android.content.pm.ApplicationInfo;
import android.content.res.CompatibilityInfo;
import java.util.function.Supplier;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowActivityThread;
import org.robolectric.util.reflector.Direct;
import org.robolectric.util.reflector.ForType;
import org.robolectric.util.reflector.Reflector;

@Implements(value = ActivityThread.class, isInAndroidSdk = false)
public class ActivityThreadShadow extends ShadowActivityThread {
  private static Supplier<ActivityThread> other = () -> null;

  @RealObject private ActivityThread real;
  private LoadedApk app;

  /** The package of the test APK, or null; the framework itself keeps only a weak reference. */
  private LoadedApk test;

  /**
   * Sets who knows the thread object of the process whose code runs, or null if it is the main
   * one's.
   */
  public static void setOther(Supplier<ActivityThread> running) {
    other = running;
  }

  /** Sets the package that this process runs; getPackageInfo must always return the same object. */
  public void setApp(LoadedApk app) {
    this.app = app;
  }

  /** Sets the second package that runs code in this process. */
  public void setTest(LoadedApk test) {
    this.test = test;
  }

  /** Returns the thread object of the process whose code runs. */
  @Implementation
  public static Object currentActivityThread() {
    ActivityThread found = other.get();
    return found == null ? RuntimeEnvironment.getActivityThread() : found;
  }

  /**
   * Does nothing: Skia's text caches are native code that is missing here, and no app can see them.
   */
  @Implementation
  protected static void freeTextLayoutCachesIfNeeded(int configDiff) {}

  /**
   * Does nothing: no server reads the report, and Robolectric cannot list a table's configurations.
   */
  @Implementation(minSdk = 24)
  protected void reportSizeConfigurations(ActivityThread.ActivityClientRecord record) {}

  /** Keeps the package below API 28, where Robolectric's asset manager always looks out of date. */
  @Implementation(maxSdk = 27)
  protected LoadedApk getPackageInfo(
      ApplicationInfo info,
      CompatibilityInfo compatibility,
      ClassLoader base,
      boolean securityViolation,
      boolean includeCode,
      boolean registerPackage) {
    if (app != null && includeCode && app.getPackageName().equals(info.packageName)) {
      return app;
    }
    if (test != null && includeCode && test.getPackageName().equals(info.packageName)) {
      return test;
    }
    return Reflector.reflector(Original.class, real)
        .getPackageInfo(info, compatibility, base, securityViolation, includeCode, registerPackage);
  }

  @ForType(ActivityThread.class)
  private interface Original {
    @Direct
    LoadedApk getPackageInfo(
        ApplicationInfo info,
        CompatibilityInfo compatibility,
        ClassLoader base,
        boolean securityViolation,
        boolean includeCode,
        boolean registerPackage);
  }
}
