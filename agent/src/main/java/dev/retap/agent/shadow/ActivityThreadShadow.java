// The two places where the framework's ActivityThread cannot run as it is on this host.
package dev.retap.agent.shadow;

import android.app.ActivityThread;
import android.app.LoadedApk;
import android.content.pm.ApplicationInfo;
import android.content.res.CompatibilityInfo;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowActivityThread;
import org.robolectric.util.reflector.Direct;
import org.robolectric.util.reflector.ForType;
import org.robolectric.util.reflector.Reflector;

@Implements(value = ActivityThread.class, isInAndroidSdk = false)
public class ActivityThreadShadow extends ShadowActivityThread {
  @RealObject private ActivityThread real;
  private LoadedApk app;

  /** The package this process runs; asked for again, it must be the same object. */
  public void setApp(LoadedApk app) {
    this.app = app;
  }

  /** Emptying Skia's text caches: a native call the host lacks and no app can see. */
  @Implementation
  protected static void freeTextLayoutCachesIfNeeded(int configDiff) {}

  /** A report to the server that nobody reads; the host cannot list a table's configurations. */
  @Implementation(minSdk = 24)
  protected void reportSizeConfigurations(ActivityThread.ActivityClientRecord record) {}

  /** Below API 28 the host's asset manager always looks out of date and would be replaced. */
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
