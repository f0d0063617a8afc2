// Decides which of Robolectric's shadows apply. The agent implements the system server behind the
// binder interfaces, so the framework's own client code must run: this filter rejects the shadows
// of that code.
package dev.retap.agent.host;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import org.robolectric.android.AndroidSdkShadowMatcher;

final class ShadowFilter extends AndroidSdkShadowMatcher {
  private static final String SHADOWS = "org.robolectric.shadows.";

  /** Shadows that are rejected as a whole. */
  private static final Set<String> REJECTED_SHADOWS =
      Set.of(
          "ShadowActivity",
          "ShadowLoadedApk",
          "ShadowActivityTaskManager",
          "ShadowCloseGuard",
          "ShadowContentProviderClient",
          "ShadowPendingIntent",
          "ShadowBroadcastReceiver",
          "ShadowBroadcastPendingResult",
          "ShadowJobService",
          "ShadowAlarmManager",
          "ShadowJobScheduler",
          "ShadowJobScheduler$ShadowJobSchedulerImpl",
          "ShadowNetworkInfo",
          "ShadowSensorManager");

  /** Methods that are rejected, by shadow. */
  private static final Map<String, Set<String>> REJECTED_METHODS =
      Map.of(
          "ShadowEnvironment",
              Set.of("buildExternalStorageAppCacheDirs", "getExternalStoragePublicDirectory"),
          "ShadowInstrumentation", Set.of("execStartActivity", "execStartActivities"),
          "ShadowActivityManager", Set.of("getService", "getRunningTasks"),
          "ShadowActivityManagerNative", Set.of("getDefault"),
          "ShadowActivityThread",
              Set.of("getPackageManager", "getPermissionManager", "requestRelaunchActivity"),
          "ShadowApplicationPackageManager",
              Set.of("checkPermission", "getPermissionControllerPackageName"),
          "ShadowContentResolver",
              Set.of(
                  "openInputStream",
                  "openOutputStream",
                  "insert",
                  "update",
                  "query",
                  "getType",
                  "call",
                  "acquireContentProviderClient",
                  "acquireUnstableContentProviderClient",
                  "acquireProvider",
                  "acquireUnstableProvider",
                  "delete",
                  "bulkInsert",
                  "applyBatch"),
          "ShadowContextImpl",
              Set.of(
                  "getContentResolver",
                  "getExternalFilesDir",
                  "getExternalFilesDirs",
                  "checkPermission",
                  "checkCallingPermission",
                  "checkCallingOrSelfPermission",
                  "getClassLoader",
                  "startActivityAsUser",
                  "startIntentSender",
                  "sendBroadcast",
                  "sendBroadcastAsUser",
                  "sendOrderedBroadcast",
                  "sendOrderedBroadcastAsUser",
                  "sendStickyBroadcast",
                  "registerReceiver",
                  "registerReceiverAsUser",
                  "unregisterReceiver",
                  "startService",
                  "startForegroundService",
                  "stopService",
                  "bindService",
                  "bindServiceAsUser",
                  "unbindService",
                  "validateServiceIntent"),
          "ShadowSearchManager", Set.of("getSearchableInfo"),
          "ShadowService",
              Set.of(
                  "onDestroy",
                  "stopSelf",
                  "stopSelfResult",
                  "startForeground",
                  "stopForeground",
                  "getApplication"));

  ShadowFilter(int apiLevel) {
    super(apiLevel);
  }

  @Override
  public boolean matches(Method method) {
    String owner = method.getDeclaringClass().getName();
    if (owner.startsWith(SHADOWS)) {
      String shadow = owner.substring(SHADOWS.length());
      if (REJECTED_SHADOWS.contains(shadow)
          || REJECTED_METHODS.getOrDefault(shadow, Set.of()).contains(method.getName())) {
        return false;
      }
    }
    return super.matches(method);
  }
}
