// The other apps of the phone: which intents they take, and which of them is in front.
package dev.retap.agent.device;

import android.content.ComponentName;
import android.content.ContentResolver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.ActivityInfo;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPackageManager;

final class OutsideWorld {
  /**
   * An intent another app took, and who waits for its result.
   *
   * @param overlay a dialog over the app rather than a screen of its own
   */
  record Visit(
      String app,
      Intent intent,
      ActivityRecord resultTo,
      String resultWho,
      int requestCode,
      boolean overlay) {}

  /** Puts a visited app on the screen and takes it off again. */
  interface Stage {
    void show(Visit visit);

    void clear();
  }

  private final List<OutsideApp> apps = new ArrayList<>();
  private final ContentResolver resolver;
  private Stage stage;
  private Visit current;

  /** @param changes to a stock phone, as {@link StockPhone#with} takes them */
  OutsideWorld(List<String> changes, ContentResolver resolver) {
    apps.add(OutsideApp.parse(StockPhone.PERMISSIONS_APP));
    apps.addAll(StockPhone.with(changes));
    this.resolver = resolver;
  }

  void setStage(Stage stage) {
    this.stage = stage;
  }

  Visit current() {
    return current;
  }

  /** Goes to the app that takes the intent; says whether there is one. */
  boolean visit(Intent intent, ActivityRecord resultTo, String resultWho, int requestCode) {
    OutsideApp app = app(intent);
    if (app == null) {
      return false;
    }
    boolean overlay = app.name().equals(StockPhone.PERMISSIONS);
    leave();
    current = new Visit(app.name(), intent, resultTo, resultWho, requestCode, overlay);
    stage.show(current);
    return true;
  }

  /** Another app takes over an intent; who waits for the result stays the same. */
  void passOn(Visit visit, OutsideApp app, Intent intent) {
    current =
        new Visit(
            app.name(), intent, visit.resultTo(), visit.resultWho(), visit.requestCode(), false);
    stage.show(current);
  }

  List<OutsideApp> named(String name) {
    return apps.stream().filter(app -> app.name().equals(name)).limit(1).toList();
  }

  /** Who waited for the app that was in front, if one was. */
  Visit leave() {
    Visit left = current;
    if (left != null) {
      current = null;
      stage.clear();
    }
    return left;
  }

  /** Every app that takes the intent, once. */
  List<OutsideApp> takers(Intent intent) {
    Intent typed = typed(intent);
    Map<String, OutsideApp> takers = new LinkedHashMap<>();
    apps.stream().filter(app -> app.takes(typed)).forEach(app -> takers.put(app.name(), app));
    return new ArrayList<>(takers.values());
  }

  private OutsideApp app(Intent intent) {
    if (intent.getComponent() != null) {
      String named = intent.getComponent().getPackageName();
      return named(named).stream().findFirst().orElse(null);
    }
    Intent asked = intent.getSelector() == null ? intent : intent.getSelector();
    List<OutsideApp> takers = takers(asked);
    return takers.isEmpty() ? null : takers.get(0);
  }

  /** The type of content is its provider's to tell. */
  private Intent typed(Intent intent) {
    if (intent.getType() != null || !ContentResolver.SCHEME_CONTENT.equals(intent.getScheme())) {
      return intent;
    }
    return new Intent(intent).setDataAndType(intent.getData(), intent.resolveType(resolver));
  }

  /** Tells the package manager of the apps and of what they take. */
  void install(Context context) {
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
    } catch (IntentFilter.MalformedMimeTypeException e) {
      throw new IllegalArgumentException("outside app", e);
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
