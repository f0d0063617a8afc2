// Puts this phone's services where the framework looks for the system server: the singletons behind
// ActivityManager, ActivityTaskManager, ActivityClient and the package manager.
package dev.retap.agent.device;

import android.app.ActivityManager;
import android.app.ActivityThread;
import android.content.ComponentName;
import android.content.pm.PackageManager;
import android.os.IInterface;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadows.ShadowServiceManager;

final class SystemServer {
  private static final int META = PackageManager.GET_META_DATA;

  /** Activity manager, activity-task manager and activity client. */
  final BinderStub stub = new BinderStub();

  /** Package manager and permission manager. */
  final BinderStub packages = packages();

  SystemServer(int apiLevel) {
    Object manager = stub.as(ByType.type("android.app.IActivityManager"));
    if (apiLevel < 26) {
      singleton(ByType.type("android.app.ActivityManagerNative"), "gDefault", manager);
    } else {
      singleton(ActivityManager.class, "IActivityManagerSingleton", manager);
    }
    if (apiLevel >= 29) {
      singleton(
          ByType.type("android.app.ActivityTaskManager"),
          "IActivityTaskManagerSingleton",
          stub.as(ByType.type("android.app.IActivityTaskManager")));
    }
    if (apiLevel >= 31) {
      ByType.callStatic(
          "android.app.ActivityClient",
          "setActivityClientController",
          stub.as(ByType.type("android.app.IActivityClientController")));
    }
    stub.on("getConfiguration", call -> android.content.res.Resources.getSystem().getConfiguration())
        .on("getCurrentUserId", call -> 0);
    ByType.setStatic(
        ActivityThread.class,
        "sPackageManager",
        packages.as(ByType.type("android.content.pm.IPackageManager")));
    if (apiLevel >= 30) {
      service("permissionmgr", "android.permission.IPermissionManager", packages);
      ByType.setStatic(ActivityThread.class, "sPermissionManager", null);
    }
  }

  /** Puts a stub where the service manager is asked for a service. */
  static void service(String name, String binderInterface, BinderStub stub) {
    Class<? extends IInterface> type = ByType.type(binderInterface).asSubclass(IInterface.class);
    ShadowServiceManager.addBinderService(name, type, (IInterface) stub.as(type));
  }

  /** Answers the framework's own questions to the package manager through the public one. */
  private static BinderStub packages() {
    return new BinderStub()
        .on("getApplicationInfo", call -> find(packages ->
            packages.getApplicationInfo(call.first(String.class), META)))
        .on("getPackageInfo", call -> find(packages ->
            packages.getPackageInfo(call.first(String.class), META)))
        .on("getActivityInfo", call -> find(packages ->
            packages.getActivityInfo(call.first(ComponentName.class), META)))
        .on("getServiceInfo", call -> find(packages ->
            packages.getServiceInfo(call.first(ComponentName.class), META)))
        .on("getReceiverInfo", call -> find(packages ->
            packages.getReceiverInfo(call.first(ComponentName.class), META)))
        .on("hasSystemFeature", call -> find(packages ->
            packages.hasSystemFeature(call.first(String.class))));
  }

  private interface Lookup {
    Object in(PackageManager packages) throws PackageManager.NameNotFoundException;
  }

  private static Object find(Lookup lookup) {
    try {
      return lookup.in(RuntimeEnvironment.systemContext.getPackageManager());
    } catch (PackageManager.NameNotFoundException e) {
      return null;
    }
  }

  private static void singleton(Class<?> owner, String field, Object value) {
    ByType.set(ByType.getStatic(owner, field), "mInstance", value);
  }
}
