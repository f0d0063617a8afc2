// The packages of the other apps, as the package manager lists them.
package dev.retap.agent.device.outside;

import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.ActivityInfo;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPackageManager;

final class OutsidePackages {
  private OutsidePackages() {}

  /** Adds the apps and the intents they take to the package manager. */
  static void install(List<OutsideApp> apps, Context context) {
    ShadowPackageManager packages = Shadow.extract(context.getPackageManager());
    try {
      for (OutsideApp app : apps) {
        ComponentName activity = new ComponentName(app.name(), app.name() + ".Main");
        if (packages.getInternalMutablePackageInfo(app.name()) == null) {
          packages.installPackage(packageInfo(app));
          packages.addOrUpdateActivity(activityInfo(app, activity));
        }
        for (IntentFilter filter : app.filters()) {
          packages.addIntentFilterForActivity(activity, filter);
        }
      }
      Set<String> names = new LinkedHashSet<>();
      for (OutsideApp app : apps) {
        if (names.add(app.name())) {
          installMain(packages, app);
        }
      }
    } catch (IntentFilter.MalformedMimeTypeException e) {
      throw new IllegalArgumentException("outside app", e);
    }
  }

  /** Adds what ACTION_MAIN and the names of classes lead to. */
  private static void installMain(ShadowPackageManager packages, OutsideApp app) {
    ComponentName activity = new ComponentName(app.name(), app.name() + ".Main");
    if (StockApps.LAUNCHED.contains(app.name())) {
      IntentFilter launcher = new IntentFilter(Intent.ACTION_MAIN);
      launcher.addCategory(Intent.CATEGORY_LAUNCHER);
      launcher.addCategory(Intent.CATEGORY_DEFAULT);
      packages.addIntentFilterForActivity(activity, launcher);
    }
    StockApps.MAIN_CATEGORIES.forEach(
        (category, name) -> {
          if (name.equals(app.name())) {
            IntentFilter main = new IntentFilter(Intent.ACTION_MAIN);
            main.addCategory(category);
            main.addCategory(Intent.CATEGORY_DEFAULT);
            packages.addIntentFilterForActivity(activity, main);
          }
        });
    for (String screen : StockApps.NAMED_SCREENS.getOrDefault(app.name(), List.of())) {
      packages.addOrUpdateActivity(
          activityInfo(app, new ComponentName(app.name(), app.name() + screen)));
    }
  }

  private static PackageInfo packageInfo(OutsideApp app) {
    ApplicationInfo application = new ApplicationInfo();
    application.packageName = app.name();
    application.nonLocalizedLabel = app.label();
    application.processName = app.name();
    application.sourceDir = "/system/app/" + app.label() + "/" + app.label() + ".apk";
    application.publicSourceDir = application.sourceDir;
    application.dataDir = "/data/user/0/" + app.name();
    application.targetSdkVersion = RuntimeEnvironment.getApiLevel();
    application.flags = ApplicationInfo.FLAG_SYSTEM | ApplicationInfo.FLAG_INSTALLED;
    PackageInfo info = new PackageInfo();
    info.packageName = app.name();
    info.versionName = "1.0";
    info.versionCode = 1;
    info.applicationInfo = application;
    return info;
  }

  private static ActivityInfo activityInfo(OutsideApp app, ComponentName component) {
    ActivityInfo activity = new ActivityInfo();
    activity.packageName = component.getPackageName();
    activity.name = component.getClassName();
    activity.nonLocalizedLabel = app.label();
    activity.exported = true;
    activity.enabled = true;
    return activity;
  }
}
