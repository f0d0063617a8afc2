// The app's declared components, as the package manager knows them.
package dev.retap.agent.device.system.packages;

import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.content.pm.ServiceInfo;
import android.content.res.Resources;
import android.content.res.TypedArray;
import android.os.Build;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public final class DeclaredComponents {
  /** Changes that only activities built for API 13 or later can see. */
  private static final int SIZE_CHANGES =
      ActivityInfo.CONFIG_SCREEN_SIZE | ActivityInfo.CONFIG_SMALLEST_SCREEN_SIZE;

  private static final int FIRST_WITH_EXPORTED_ONLY = 34;

  private final Context context;

  /** Activities looked up so far. The host copies the whole package for every lookup. */
  private final Map<ComponentName, ActivityInfo> activities = new ConcurrentHashMap<>();

  private final Map<Integer, Boolean> translucentThemes = new ConcurrentHashMap<>();

  /** The package of the test APK that runs in the app's process, or null. */
  private final String testPackage;

  public DeclaredComponents(Context context) {
    this(context, null);
  }

  /**
   * @param testPackage the package of the test APK that runs in the app's process, or null
   */
  public DeclaredComponents(Context context, String testPackage) {
    this.context = context;
    this.testPackage = testPackage;
  }

  /** Returns true for the app's package, and for that of its test APK. */
  private boolean isOwn(String packageName) {
    return packageName.equals(packageName()) || packageName.equals(testPackage);
  }

  public String packageName() {
    return context.getPackageName();
  }

  /** Returns the app's name as a launcher shows it. */
  public CharSequence label() {
    CharSequence label = context.getApplicationInfo().loadLabel(context.getPackageManager());
    return label == null || label.length() == 0 ? packageName() : label;
  }

  public int targetSdk() {
    return context.getApplicationInfo().targetSdkVersion;
  }

  public Context context() {
    return context;
  }

  /** Returns the app's activity that takes the intent, or null if none does. */
  public ActivityInfo activity(Intent intent) {
    PackageManager packages = context.getPackageManager();
    ComponentName component = intent.getComponent();
    if (component == null && intent.getSelector() != null) {
      return activity(intent.getSelector());
    }
    if (component != null) {
      // The package manager also knows the activities of other apps.
      return isOwn(component.getPackageName())
          ? activities.computeIfAbsent(component, this::activity)
          : null;
    }
    for (ResolveInfo match :
        packages.queryIntentActivities(intent, PackageManager.MATCH_DEFAULT_ONLY)) {
      String owner = match.activityInfo.packageName;
      if (isOwn(owner) && (match.activityInfo.exported || findsUnexported(intent))) {
        return activity(
            new Intent().setComponent(new ComponentName(owner, match.activityInfo.name)));
      }
    }
    return null;
  }

  /** Returns true if an intent that names no component finds those that are not exported. */
  private boolean findsUnexported(Intent intent) {
    return intent.getPackage() != null
        || Math.min(targetSdk(), Build.VERSION.SDK_INT) < FIRST_WITH_EXPORTED_ONLY;
  }

  private ActivityInfo activity(ComponentName component) {
    try {
      return context.getPackageManager().getActivityInfo(component, PackageManager.GET_META_DATA);
    } catch (PackageManager.NameNotFoundException e) {
      return null;
    }
  }

  /** Returns the intent that a launcher starts, or null if the app has no launcher activity. */
  public Intent launcher() {
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

  /** Returns true if a launcher could have sent the intent. */
  public static boolean isLauncher(Intent intent) {
    return Intent.ACTION_MAIN.equals(intent.getAction())
        && intent.hasCategory(Intent.CATEGORY_LAUNCHER);
  }

  /** Returns the service that takes the intent, or null if none does. */
  public ServiceInfo service(Intent intent) {
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

  /** Returns the configuration changes that the activity handles itself. */
  public static int handledChanges(ActivityInfo info) {
    int handled = info.configChanges;
    return info.applicationInfo.targetSdkVersion < 13 ? handled | SIZE_CHANGES : handled;
  }

  /** Returns true if the activity lets the one below it show through. */
  public boolean isTranslucent(ActivityInfo info) {
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
}
