// Questions about the app's declared components, asked of the package manager.
package dev.retap.agent.device;

import android.app.ResultInfo;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.content.pm.ServiceInfo;
import android.content.res.Resources;
import android.content.res.TypedArray;
import com.android.internal.content.ReferrerIntent;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

final class Components {
  /** Changes an activity that was built for API 13 or later must name to handle; older ones never
   * see them. */
  private static final int SIZE_CHANGES =
      ActivityInfo.CONFIG_SCREEN_SIZE | ActivityInfo.CONFIG_SMALLEST_SCREEN_SIZE;

  private final Context context;

  /** The host copies the whole package for every question, which big apps feel. */
  private final Map<ComponentName, ActivityInfo> activities = new ConcurrentHashMap<>();
  private final Map<Integer, Boolean> translucentThemes = new ConcurrentHashMap<>();

  Components(Context context) {
    this.context = context;
  }

  String packageName() {
    return context.getPackageName();
  }

  /** What the launcher writes under the app. */
  CharSequence label() {
    CharSequence label = context.getApplicationInfo().loadLabel(context.getPackageManager());
    return label == null || label.length() == 0 ? packageName() : label;
  }

  int targetSdk() {
    return context.getApplicationInfo().targetSdkVersion;
  }

  Context context() {
    return context;
  }

  ActivityInfo activity(Intent intent) {
    PackageManager packages = context.getPackageManager();
    ComponentName component = intent.getComponent();
    if (component == null && intent.getSelector() != null) {
      return activity(intent.getSelector());
    }
    if (component != null) {
      // The package manager knows the activities of other apps too.
      return component.getPackageName().equals(packageName())
          ? activities.computeIfAbsent(component, this::activity)
          : null;
    }
    for (ResolveInfo match :
        packages.queryIntentActivities(intent, PackageManager.MATCH_DEFAULT_ONLY)) {
      if (match.activityInfo.packageName.equals(packageName())) {
        return activity(
            new Intent()
                .setComponent(new ComponentName(packageName(), match.activityInfo.name)));
      }
    }
    return null;
  }

  private ActivityInfo activity(ComponentName component) {
    try {
      return context
          .getPackageManager()
          .getActivityInfo(component, PackageManager.GET_META_DATA);
    } catch (PackageManager.NameNotFoundException e) {
      return null;
    }
  }

  /** The intent a launcher would start, or null if the app has no launcher activity. */
  Intent launcher() {
    Intent query = new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_LAUNCHER);
    query.setPackage(packageName());
    for (ResolveInfo match : context.getPackageManager().queryIntentActivities(query, 0)) {
      if (match.activityInfo.enabled) {
        return new Intent(Intent.ACTION_MAIN)
            .addCategory(Intent.CATEGORY_LAUNCHER)
            .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK | Intent.FLAG_ACTIVITY_RESET_TASK_IF_NEEDED)
            .setComponent(new ComponentName(packageName(), match.activityInfo.name));
      }
    }
    return null;
  }

  boolean isLauncher(Intent intent) {
    return Intent.ACTION_MAIN.equals(intent.getAction())
        && intent.hasCategory(Intent.CATEGORY_LAUNCHER);
  }

  ServiceInfo service(Intent intent) {
    PackageManager packages = context.getPackageManager();
    try {
      if (intent.getComponent() != null) {
        return packages.getServiceInfo(intent.getComponent(), PackageManager.GET_META_DATA);
      }
      List<ResolveInfo> matches = packages.queryIntentServices(intent, 0);
      if (matches.isEmpty()) {
        return null;
      }
      ServiceInfo found = matches.get(0).serviceInfo;
      return packages.getServiceInfo(
          new ComponentName(found.packageName, found.name), PackageManager.GET_META_DATA);
    } catch (PackageManager.NameNotFoundException e) {
      return null;
    }
  }

  int handledChanges(ActivityInfo info) {
    int handled = info.configChanges;
    return info.applicationInfo.targetSdkVersion < 13 ? handled | SIZE_CHANGES : handled;
  }

  boolean isTranslucent(ActivityInfo info) {
    return info.getThemeResource() != 0
        && translucentThemes.computeIfAbsent(info.getThemeResource(), this::isTranslucent);
  }

  private boolean isTranslucent(int style) {
    Resources.Theme theme = context.getResources().newTheme();
    theme.applyStyle(style, true);
    TypedArray window =
        theme.obtainStyledAttributes(
            new int[] {android.R.attr.windowIsTranslucent, android.R.attr.windowIsFloating});
    try {
      return window.getBoolean(0, false) || window.getBoolean(1, false);
    } finally {
      window.recycle();
    }
  }

  Object resultInfo(String who, int request, int result, Intent data) {
    return ByType.construct(ResultInfo.class, who, request, result, data);
  }

  Object referrerIntent(Intent intent) {
    return ByType.construct(ReferrerIntent.class, intent, packageName());
  }
}
