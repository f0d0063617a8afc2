// The phone's system server: its services, and the places where the framework looks for them (the
// singletons behind ActivityManager, ActivityTaskManager, ActivityClient and the package manager).
package dev.retap.agent.device;

import android.app.ActivityManager;
import android.app.ActivityThread;
import android.content.ComponentName;
import android.content.Context;
import android.content.pm.PackageManager;
import android.os.IInterface;
import dev.retap.agent.wire.Install;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadows.ShadowServiceManager;

final class SystemServer {
  private static final int META = PackageManager.GET_META_DATA;

  /** Activity manager, activity-task manager and activity client. */
  private final BinderStub stub = new BinderStub();

  /** Package manager and permission manager. */
  private final BinderStub packages = packages();

  private final int apiLevel;
  private Components components;
  private OutsideWorld outside;
  private ActivityTasks tasks;
  private Broadcasts broadcasts;
  private SystemEvents events;

  /** Takes the places the framework looks at; the process may be made after this. */
  SystemServer(int apiLevel) {
    this.apiLevel = apiLevel;
    FrameworkStatics.renew(apiLevel);
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

  /** Builds the services around the app's process, before its first line of code runs. */
  void serve(Install install, AppProcess process, Path data, List<Task> formerTasks) {
    Context context = process.context;
    Object thread = process.thread.getApplicationThread();
    File folder = data.resolve("system").toFile();
    components = new Components(context);
    outside = new OutsideWorld(install.outside(), context.getContentResolver());
    outside.install(context);
    Orientation orientation = new Orientation(install, new File(folder, "turned"));
    ActivityClient client = ActivityClient.of(process.thread, apiLevel);
    tasks = new ActivityTasks(components, client, outside, orientation, formerTasks);
    tasks.serve(stub);
    Permissions permissions = new Permissions(components, new File(folder, "permissions"));
    permissions.serve(stub);
    permissions.serve(packages);
    Context system = RuntimeEnvironment.systemContext;
    StockProviders providers = new StockProviders(system, folder);
    providers.serve(stub);
    Picker picker = new Picker(providers, context.getContentResolver());
    outside.setStage(
        new OutsideScreen(system, components, outside, tasks, permissions, picker));
    Services services = new Services(components, thread, apiLevel);
    services.serve(stub);
    broadcasts = new Broadcasts(components, thread, apiLevel);
    broadcasts.serve(stub);
    new PendingIntents(components, tasks, services, broadcasts).serve(stub);
    new Alarms().install();
    Connectivity network = new Connectivity(context, broadcasts);
    new Jobs(services, network).install();
    new Searches(context).install();
    NewPhone.setUp(context, folder);
    CompatChanges.install(components.targetSdk(), apiLevel);
    service(
        Context.TEXT_SERVICES_MANAGER_SERVICE,
        "com.android.internal.textservice.ITextServicesManager",
        new BinderStub());
    events =
        new SystemEvents(
            orientation, tasks, broadcasts, network, new Telephone(context, broadcasts),
            new Notifications(context), thread);
    events.perform("battery", List.of("80"));
  }

  Components components() {
    return components;
  }

  OutsideWorld outside() {
    return outside;
  }

  ActivityTasks tasks() {
    return tasks;
  }

  Broadcasts broadcasts() {
    return broadcasts;
  }

  SystemEvents events() {
    return events;
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
