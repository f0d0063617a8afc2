// The phone's system server: its services, and the places where the framework looks for them
// (the singletons behind ActivityManager, ActivityTaskManager, ActivityClient and the package
// manager).
package dev.retap.agent.device;

import android.app.ActivityManager;
import android.app.ActivityThread;
import android.content.Context;
import android.content.res.Resources;
import android.graphics.Point;
import dev.retap.agent.device.app.AppProcess;
import dev.retap.agent.device.app.FrameworkStatics;
import dev.retap.agent.device.app.PhoneFolders;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.binder.UnplayedServices;
import dev.retap.agent.device.display.DisplayOrientation;
import dev.retap.agent.device.instrument.InstrumentationReports;
import dev.retap.agent.device.outside.OutsideApps;
import dev.retap.agent.device.outside.OutsideScreen;
import dev.retap.agent.device.outside.Picker;
import dev.retap.agent.device.outside.StockProviders;
import dev.retap.agent.device.process.AppProcesses;
import dev.retap.agent.device.process.ProcessProviders;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.device.system.activity.ActivityTaskServer;
import dev.retap.agent.device.system.activity.ActivityThreadClient;
import dev.retap.agent.device.system.activity.AppVisibility;
import dev.retap.agent.device.system.activity.ProcessClients;
import dev.retap.agent.device.system.activity.Task;
import dev.retap.agent.device.system.camera.CameraServer;
import dev.retap.agent.device.system.hardware.MemoryUse;
import dev.retap.agent.device.system.hardware.NetworkCounters;
import dev.retap.agent.device.system.hardware.PhoneNumberMetadata;
import dev.retap.agent.device.system.hardware.StockBuild;
import dev.retap.agent.device.system.hardware.SystemFeatures;
import dev.retap.agent.device.system.hardware.SystemFiles;
import dev.retap.agent.device.system.jobs.Jobs;
import dev.retap.agent.device.system.keys.PhoneProviders;
import dev.retap.agent.device.system.packages.AlarmRules;
import dev.retap.agent.device.system.packages.CallPermissions;
import dev.retap.agent.device.system.packages.CompatChanges;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import dev.retap.agent.device.system.packages.ForegroundRules;
import dev.retap.agent.device.system.packages.JobRules;
import dev.retap.agent.device.system.packages.PackageManagerStub;
import dev.retap.agent.device.system.packages.PlatformPermissions;
import dev.retap.agent.device.system.packages.RuntimePermissions;
import dev.retap.agent.device.system.packages.SharedStorageRules;
import dev.retap.agent.device.system.packages.SignedPackage;
import dev.retap.agent.device.system.packages.StartRules;
import dev.retap.agent.device.system.packages.UnlockedUser;
import dev.retap.agent.device.system.packages.UriGrants;
import dev.retap.agent.device.system.service.Alarms;
import dev.retap.agent.device.system.service.Broadcasts;
import dev.retap.agent.device.system.service.Connectivity;
import dev.retap.agent.device.system.service.ContentObservers;
import dev.retap.agent.device.system.service.InitialDeviceState;
import dev.retap.agent.device.system.service.InputMethods;
import dev.retap.agent.device.system.service.NotificationServer;
import dev.retap.agent.device.system.service.Notifications;
import dev.retap.agent.device.system.service.PendingIntents;
import dev.retap.agent.device.system.service.PhoneRecords;
import dev.retap.agent.device.system.service.SearchableActivities;
import dev.retap.agent.device.system.service.SystemEvents;
import dev.retap.agent.device.system.service.Telephone;
import dev.retap.agent.device.system.service.TouchMode;
import dev.retap.agent.device.system.service.Widgets;
import dev.retap.agent.device.system.services.Services;
import dev.retap.agent.shadow.ToastShadow;
import dev.retap.agent.shadow.WindowRules;
import dev.retap.agent.shadow.graphics.GraphicsShadows;
import dev.retap.agent.shadow.opengl.OpenGlShadows;
import dev.retap.agent.shadow.sensor.SensorQueueShadow;
import dev.retap.agent.shadow.system.SystemShadows;
import dev.retap.agent.wire.Install;
import dev.retap.agent.world.Blocking;
import dev.retap.agent.world.jdk.PhonePaths;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.robolectric.RuntimeEnvironment;

final class SystemServer {
  /** The activity manager, the activity-task manager and the activity client. */
  private final BinderStub activityStub = new BinderStub();

  /** The package manager and the permission manager. */
  private final BinderStub packageStub = PackageManagerStub.create();

  private final int apiLevel;
  private DeclaredComponents components;
  private OutsideApps outside;
  private ActivityTaskServer tasks;
  private SystemEvents events;
  private RuntimePermissions permissions;

  /** Takes the places where the framework looks; the app's process can be made after this. */
  SystemServer(int apiLevel) {
    this.apiLevel = apiLevel;
    FrameworkStatics.renew(apiLevel);
    SensorQueueShadow.reset();
    SystemShadows.reset();
    OpenGlShadows.reset();
    GraphicsShadows.reset();
    ToastShadow.reset();
    UnplayedServices.publishAll();
    TouchMode.install(apiLevel);
    new InputMethods().install();
    CameraServer.install();
    UnlockedUser.install(apiLevel);
    StockBuild.apply(apiLevel);
    PhoneNumberMetadata.install();
    Object manager = activityStub.as(FrameworkCalls.type("android.app.IActivityManager"));
    if (apiLevel < 26) {
      setSingleton(FrameworkCalls.type("android.app.ActivityManagerNative"), "gDefault", manager);
    } else {
      setSingleton(ActivityManager.class, "IActivityManagerSingleton", manager);
    }
    if (apiLevel >= 29) {
      setSingleton(
          FrameworkCalls.type("android.app.ActivityTaskManager"),
          "IActivityTaskManagerSingleton",
          activityStub.as(FrameworkCalls.type("android.app.IActivityTaskManager")));
    }
    if (apiLevel >= 31) {
      FrameworkCalls.callStatic(
          "android.app.ActivityClient",
          "setActivityClientController",
          activityStub.as(FrameworkCalls.type("android.app.IActivityClientController")));
    }
    activityStub
        .on("getConfiguration", call -> Resources.getSystem().getConfiguration())
        .on("getAppTaskThumbnailSize", call -> thumbnailSize())
        .on("getCurrentUserId", call -> 0);
    FrameworkFields.setStatic(
        ActivityThread.class,
        "sPackageManager",
        packageStub.as(FrameworkCalls.type("android.content.pm.IPackageManager")));
    if (apiLevel >= 30) {
      packageStub.publish("permissionmgr", "android.permission.IPermissionManager");
      FrameworkFields.setStatic(ActivityThread.class, "sPermissionManager", null);
    }
  }

  /**
   * Builds the services around the app's process, before its first line of code runs.
   *
   * @param testPackage the package of the test APK in the app's process, or null
   */
  void serve(
      Install install,
      AppProcesses processes,
      Path data,
      List<Task> formerTasks,
      String testPackage) {
    AppProcess process = processes.main();
    processes.serve(activityStub);
    Context context = process.context();
    Object thread = process.thread().getApplicationThread();
    File folder = data.resolve("system").toFile();
    components = new DeclaredComponents(context, testPackage);
    outside = new OutsideApps(install.outside(), context.getContentResolver());
    outside.install(context);
    DisplayOrientation orientation = new DisplayOrientation(install, new File(folder, "turned"));
    ActivityThreadClient client = ProcessClients.of(processes, apiLevel);
    permissions = new RuntimePermissions(components, new File(folder, "permissions"));
    StartRules starts = new StartRules(components, permissions, apiLevel);
    tasks =
        new ActivityTaskServer(
            components, starts, processes, client, outside, orientation, formerTasks);
    tasks.serve(activityStub);
    permissions.serve(activityStub);
    permissions.serve(packageStub);
    PlatformPermissions.install(context);
    SignedPackage.install(context, Path.of(install.apks().get(0)), apiLevel);
    UriGrants grants = new UriGrants(components.packageName());
    grants.serve(activityStub);
    if (apiLevel >= 29) {
      BinderStub grantStub = new BinderStub();
      grants.serve(grantStub);
      grantStub.publish("uri_grants", "android.app.IUriGrantsManager");
    }
    Context system = RuntimeEnvironment.systemContext;
    StockProviders providers = new StockProviders(system, folder, permissions::isGranted);
    providers.serve(activityStub, new ProcessProviders(processes)::holder);
    Picker picker = new Picker(providers, context.getContentResolver());
    outside.setPresenter(
        new OutsideScreen(system, components, outside, tasks, permissions, picker));
    int target = components.targetSdk();
    NotificationServer notifications =
        new NotificationServer(target, apiLevel, permissions::mayNotify);
    notifications.install();
    CallPermissions.install(components.packageName(), permissions::isGranted, target, apiLevel);
    WindowRules.setActivities(tasks::isLiving);
    ForegroundRules rules = new ForegroundRules(permissions::isGranted, target, apiLevel);
    AppVisibility visibility = tasks.visibility();
    Services services =
        new Services(components, processes, rules, notifications, visibility, apiLevel);
    services.serve(activityStub);
    Broadcasts broadcasts = new Broadcasts(components, processes, apiLevel);
    broadcasts.serve(activityStub);
    new PendingIntents(components, tasks, services::start, broadcasts).serve(activityStub);
    AlarmRules alarms = new AlarmRules(components.packageName(), permissions, target, apiLevel);
    new Alarms(alarms, visibility).install();
    NetworkCounters.install();
    new Widgets(context).install();
    new MemoryUse(apiLevel).serve(activityStub);
    ContentObservers observers = new ContentObservers(apiLevel);
    observers.install();
    Connectivity connectivity = new Connectivity(context, broadcasts);
    JobRules jobRules = new JobRules(components, permissions::isGranted, apiLevel);
    Jobs jobs = new Jobs(context, services, jobRules, connectivity, observers);
    jobs.install();
    new SearchableActivities(context).install();
    InitialDeviceState.apply(context);
    PhonePaths.guardShared(
        PhoneFolders.SHARED,
        new SharedStorageRules(context.getApplicationInfo(), permissions::isGranted, apiLevel));
    SystemFeatures.apply(context);
    PhoneProviders.install(new File(folder, "keys"));
    SystemFiles files = SystemFiles.mount(context.getApplicationInfo(), Blocking.PROCESSORS);
    processes.onStart(started -> files.addProcess(started.pid(), started.name()));
    processes.onEnd(ended -> files.removeProcess(ended.pid()));
    CompatChanges.install(target, apiLevel);
    events =
        new SystemEvents(
            orientation,
            components,
            tasks,
            broadcasts,
            connectivity,
            new Telephone(context, broadcasts, new PhoneRecords(providers::record)),
            new Notifications(context),
            jobs::phoneChanged,
            thread);
    events.perform("battery", List.of("80"));
  }

  /** Takes what an instrumentation tells the activity manager. */
  void serve(InstrumentationReports reports) {
    reports.serve(activityStub);
  }

  DeclaredComponents components() {
    return components;
  }

  OutsideApps outside() {
    return outside;
  }

  ActivityTaskServer tasks() {
    return tasks;
  }

  RuntimePermissions permissions() {
    return permissions;
  }

  SystemEvents events() {
    return events;
  }

  /** The size of a task's picture in the list of recent apps: 164 by 145 dp. */
  private static Point thumbnailSize() {
    float density = Resources.getSystem().getDisplayMetrics().density;
    return new Point((int) (164 * density), (int) (145 * density));
  }

  private static void setSingleton(Class<?> owner, String field, Object value) {
    FrameworkFields.set(FrameworkFields.getStatic(owner, field), "mInstance", value);
  }
}
