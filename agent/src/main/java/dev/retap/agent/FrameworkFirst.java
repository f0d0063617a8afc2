// Decides which of Robolectric's stand-ins ("shadows") apply. Where this agent plays the system
// server behind the binder interfaces, the framework's own client code must run, so the shadow of
// that code is turned away here and the real method is executed.
package dev.retap.agent;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import org.robolectric.android.AndroidSdkShadowMatcher;

final class FrameworkFirst extends AndroidSdkShadowMatcher {
  private static final String SHADOWS = "org.robolectric.shadows.";

  /** Shadows of which no method applies. */
  private static final Set<String> WHOLE =
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
          "ShadowJobScheduler$ShadowJobSchedulerImpl");

  /** Shadows of which only the named methods are turned away. */
  private static final Map<String, Set<String>> METHODS =
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
          "ShadowService", Set.of("onDestroy", "stopSelf", "stopSelfResult", "startForeground",
              "stopForeground", "getApplication"));

  FrameworkFirst(int apiLevel) {
    super(apiLevel);
  }

  @Override
  public boolean matches(Method method) {
    String owner = method.getDeclaringClass().getName();
    if (owner.startsWith(SHADOWS)) {
      String shadow = owner.substring(SHADOWS.length());
      if (WHOLE.contains(shadow)
          || METHODS.getOrDefault(shadow, Set.of()).contains(method.getName())) {
        return false;
      }
    }
    return super.matches(method);
  }
}
