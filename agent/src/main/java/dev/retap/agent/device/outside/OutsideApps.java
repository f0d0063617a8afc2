// The other apps of the phone: the intents they take, and which of them is in front.
package dev.retap.agent.device.outside;

import android.content.ComponentName;
import android.content.ContentResolver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.ActivityInfo;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import dev.retap.agent.device.system.activity.ActivityRecord;
import dev.retap.agent.device.system.activity.OutsideActivities;
import dev.retap.agent.device.system.activity.OutsideVisit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPackageManager;

public final class OutsideApps implements OutsideActivities {
  /** Puts a visited app on the screen and takes it off again. */
  public interface Presenter {
    void show(OutsideVisit visit);

    void clear();
  }

  private final List<OutsideApp> apps = new ArrayList<>();
  private final ContentResolver resolver;
  private Presenter presenter;
  private OutsideVisit current;

  /**
   * @param changes to the apps of a stock phone, as {@link StockApps#with} takes them
   */
  public OutsideApps(List<String> changes, ContentResolver resolver) {
    apps.add(OutsideApp.parse(StockApps.PERMISSIONS_APP));
    apps.addAll(StockApps.with(changes));
    this.resolver = resolver;
  }

  public void setPresenter(Presenter presenter) {
    this.presenter = presenter;
  }

  @Override
  public OutsideVisit current() {
    return current;
  }

  @Override
  public boolean visit(Intent intent, ActivityRecord resultTo, String resultWho, int requestCode) {
    OutsideApp app = app(intent);
    if (app == null) {
      return false;
    }
    boolean isOverlay = app.name().equals(StockApps.PERMISSIONS);
    leave();
    current = new OutsideVisit(app.name(), intent, resultTo, resultWho, requestCode, isOverlay);
    presenter.show(current);
    return true;
  }

  /** Passes an intent on to another app; the activity that waits for the result stays the same. */
  void passOn(OutsideVisit visit, OutsideApp app, Intent intent) {
    current =
        new OutsideVisit(
            app.name(), intent, visit.resultTo(), visit.resultWho(), visit.requestCode(), false);
    presenter.show(current);
  }

  /** Returns the app of this package, or nothing. */
  List<OutsideApp> named(String name) {
    return apps.stream().filter(app -> app.name().equals(name)).limit(1).toList();
  }

  @Override
  public OutsideVisit leave() {
    OutsideVisit left = current;
    if (left != null) {
      current = null;
      presenter.clear();
    }
    return left;
  }

  /** Returns every app that takes the intent, each once. */
  List<OutsideApp> takers(Intent intent) {
    Intent typed = withType(intent);
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

  /** Adds the type of content, which its provider knows. */
  private Intent withType(Intent intent) {
    if (intent.getType() != null || !ContentResolver.SCHEME_CONTENT.equals(intent.getScheme())) {
      return intent;
    }
    return new Intent(intent).setDataAndType(intent.getData(), intent.resolveType(resolver));
  }

  /** Adds the apps and the intents they take to the package manager. */
  public void install(Context context) {
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
