// The app's process: it does what ActivityThread.handleBindApplication does on a phone, with the
// app's classes from a class loader of their own. There is one main process per reset and one per
// process death; components may ask for others beside it.
package dev.retap.agent.device.app;

import android.app.ActivityThread;
import android.app.Application;
import android.app.Instrumentation;
import android.app.LoadedApk;
import android.content.Context;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageParser;
import android.content.pm.ProviderInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import android.os.Process;
import dalvik.system.CloseGuard;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.device.robolectric.DeviceConfiguration;
import dev.retap.agent.shadow.ActivityThreadShadow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.logging.LogManager;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowActivityThread;
import org.robolectric.shadows.ShadowPackageManager;
import org.robolectric.shadows.ShadowPackageParser;

public final class AppProcess {
  private final ActivityThread thread;
  private final Context context;
  private final ClassLoader loader;
  private final LoadedApk loadedApk;
  private final PackageParser.Package parsed;
  private final String processName;
  private final boolean isMain;
  private TestPackage test;

  /**
   * Does everything up to the first line of the app's code.
   *
   * @param data the folder that holds the app's files
   */
  public AppProcess(ClassLoader loader, List<String> apks, Path data) {
    this.loader = loader;
    isMain = true;
    // ActivityThread.main does the same. Each warning would cost a stack trace.
    CloseGuard.setEnabled(false);
    thread = (ActivityThread) RuntimeEnvironment.getActivityThread();
    Context system = createSystemContext();
    parsed = ShadowPackageParser.callParsePackage(Path.of(apks.get(0)));
    ApplicationInfo info = parsed.applicationInfo;
    completeInfo(info, apks, data);
    processName = info.processName;
    ShadowActivityThread.setApplicationInfo(info);
    applyConfiguration();
    bind(info);
    ShadowPackageManager packages = Shadow.extract(system.getPackageManager());
    packages.addPackageInternal(parsed);
    // The host makes up folders of its own for a package that it is given.
    PhoneFolders folders = new PhoneFolders(info.packageName, data);
    setFolders(info, folders);
    setFolders(packages.getInternalMutablePackageInfo(info.packageName).applicationInfo, folders);
    loadedApk = loadApk();
    context = createContext();
  }

  /**
   * Does the same for a process beside the main one. The two share a main thread and what the
   * framework keeps in static fields.
   */
  private AppProcess(AppProcess main, ClassLoader loader, String name) {
    this.loader = loader;
    isMain = false;
    parsed = main.parsed;
    processName = name;
    thread = (ActivityThread) FrameworkCalls.constructEmpty("android.app.ActivityThread");
    FrameworkFields.set(
        thread, "mSystemContext", FrameworkFields.get(main.thread, "mSystemContext"));
    Instrumentation instrumentation = new Instrumentation();
    FrameworkFields.set(instrumentation, "mThread", thread);
    FrameworkFields.set(thread, "mInstrumentation", instrumentation);
    Shadow.<ShadowActivityThread>extract(thread)
        .setCompatConfiguration(new Configuration(Resources.getSystem().getConfiguration()));
    bind(parsed.applicationInfo);
    loadedApk = loadApk();
    context = createContext();
  }

  /** Returns a new process of the same app, up to the first line of the app's code. */
  public AppProcess fork(ClassLoader loader, String name) {
    return new AppProcess(this, loader, name);
  }

  private LoadedApk loadApk() {
    ApplicationInfo info = parsed.applicationInfo;
    LoadedApk loaded = thread.getPackageInfo(info, null, Context.CONTEXT_INCLUDE_CODE);
    FrameworkFields.set(loaded, "mClassLoader", loader);
    Shadow.<ActivityThreadShadow>extract(thread).setApp(loaded);
    return loaded;
  }

  private Context createContext() {
    Context created =
        (Context)
            FrameworkCalls.callStatic(
                "android.app.ContextImpl", "createAppContext", thread, loadedApk);
    FrameworkFields.set(thread.getInstrumentation(), "mInstrContext", created);
    FrameworkFields.set(thread.getInstrumentation(), "mAppContext", created);
    return created;
  }

  /** Returns the name of the process. */
  public String processName() {
    return processName;
  }

  public ClassLoader loader() {
    return loader;
  }

  /** Returns the names of the processes that components ask for beside this one, in order. */
  public Set<String> declaredProcesses() {
    Set<String> names = new LinkedHashSet<>();
    parsed.activities.forEach(each -> names.add(each.info.processName));
    parsed.services.forEach(each -> names.add(each.info.processName));
    parsed.receivers.forEach(each -> names.add(each.info.processName));
    parsed.providers.forEach(each -> names.add(each.info.processName));
    names.remove(null);
    names.remove(processName);
    return names;
  }

  /** Makes this the process of a test, whose instrumentation sees all that the app does. */
  public void instrument(TestPackage test) {
    this.test = test;
    test.install(thread, loader, context);
  }

  public ActivityThread thread() {
    return thread;
  }

  public Context context() {
    return context;
  }

  private Context createSystemContext() {
    Context system =
        (Context)
            FrameworkCalls.callStatic("android.app.ContextImpl", "createSystemContext", thread);
    RuntimeEnvironment.systemContext = system;
    FrameworkFields.set(thread, "mSystemContext", system);
    FrameworkFields.set(
        FrameworkFields.get(system, "mPackageInfo"),
        "mClassLoader",
        AppProcess.class.getClassLoader());

    // Shadows ask for "the application" while the real one is still being made.
    Application placeholder = new Application();
    FrameworkCalls.call(placeholder, "attach", system);
    FrameworkFields.set(thread, "mInitialApplication", placeholder);
    RuntimeEnvironment.application = placeholder;
    return system;
  }

  /** Fills in what installing the app would have added to its manifest. */
  private void completeInfo(ApplicationInfo info, List<String> apks, Path data) {
    info.uid = Process.myUid();
    if (info.processName == null) {
      info.processName = info.packageName;
    }
    info.sourceDir = parsed.codePath;
    info.publicSourceDir = parsed.codePath;
    if (apks.size() > 1) {
      info.splitSourceDirs = apks.subList(1, apks.size()).toArray(new String[0]);
      info.splitPublicSourceDirs = info.splitSourceDirs;
    }
    PhoneFolders folders = new PhoneFolders(info.packageName, data);
    folders.create();
    setFolders(info, folders);
  }

  static void setFolders(ApplicationInfo info, PhoneFolders folders) {
    info.dataDir = folders.data();
    info.nativeLibraryDir = folders.libraries();
    if (RuntimeEnvironment.getApiLevel() >= 24) {
      info.credentialProtectedDataDir = info.dataDir;
      info.deviceProtectedDataDir = folders.deviceData();
    }
  }

  private void applyConfiguration() {
    Configuration configuration = DeviceConfiguration.initial();
    Shadow.<ShadowActivityThread>extract(thread).setCompatConfiguration(configuration);
    DeviceConfiguration.setUpDisplay();
    thread.applyConfigurationToResources(configuration);
  }

  private void bind(ApplicationInfo info) {
    Object bind = FrameworkCalls.constructEmpty("android.app.ActivityThread$AppBindData");
    FrameworkFields.set(bind, "processName", processName);
    FrameworkFields.set(bind, "appInfo", info);
    FrameworkFields.set(thread, "mBoundApplication", bind);
    FrameworkFields.set(
        thread, "mProfiler", FrameworkCalls.constructEmpty("android.app.ActivityThread$Profiler"));
  }

  /**
   * Runs the app's own start in the phone's order: application class, providers, onCreate.
   *
   * @param runsHere tells which providers this process runs, by the name of theirs
   */
  public void start(Predicate<String> runsHere) {
    try {
      startApplication(runsHere);
    } catch (ReflectiveOperationException e) {
      throw new RuntimeException("Unable to instantiate application " + name(), e);
    }
  }

  private void startApplication(Predicate<String> runsHere) throws ReflectiveOperationException {
    ApplicationInfo info = parsed.applicationInfo;
    if (isMain) {
      Thread.currentThread().setName("main");
      Thread.currentThread().setContextClassLoader(loader);
      logJavaToPhone();
      StrictDefaults.apply(info, RuntimeEnvironment.getApiLevel());
    }
    if (RuntimeEnvironment.getApiLevel() >= 28) {
      FrameworkFields.set(loadedApk, "mAppComponentFactory", componentFactory(info));
    }
    if (test != null) {
      test.enter(thread, loader);
    }
    Instrumentation instrumentation = thread.getInstrumentation();
    Application application = instrumentation.newApplication(loader, name(), context);
    FrameworkFields.set(context, "mOuterContext", application);
    FrameworkFields.set(loadedApk, "mApplication", application);
    FrameworkFields.set(thread, "mInitialApplication", application);
    @SuppressWarnings("unchecked")
    List<Application> all = (List<Application>) FrameworkFields.get(thread, "mAllApplications");
    all.add(application);
    if (isMain) {
      RuntimeEnvironment.application = application;
      RuntimeEnvironment.setConfiguredApplicationClass(application.getClass());
      if (RuntimeEnvironment.getApiLevel() >= 26) {
        FrameworkCalls.callStatic(
            "android.provider.FontsContract", "setApplicationContextForResources", application);
      }
    }
    installProviders(application, runsHere);
    if (test != null) {
      test.create();
    }
    instrumentation.callApplicationOnCreate(application);
  }

  /** Lets java.util.logging write to the phone's log, as every process of a phone does. */
  private static void logJavaToPhone() {
    LogManager.getLogManager().reset();
    FrameworkCalls.constructEmpty("com.android.internal.logging.AndroidConfig");
  }

  private String name() {
    String name = parsed.applicationInfo.className;
    return name == null ? "android.app.Application" : name;
  }

  private Object componentFactory(ApplicationInfo info) throws ReflectiveOperationException {
    String name = info.appComponentFactory;
    if (name == null) {
      return FrameworkCalls.constructEmpty("android.app.AppComponentFactory");
    }
    String full = name.startsWith(".") ? info.packageName + name : name;
    return loader.loadClass(full).getDeclaredConstructor().newInstance();
  }

  private void installProviders(Application application, Predicate<String> runsHere) {
    List<ProviderInfo> providers = new ArrayList<>();
    for (PackageParser.Provider provider : parsed.providers) {
      if (provider.info.enabled
          && provider.info.authority != null
          && runsHere.test(provider.info.processName)) {
        providers.add(provider.info);
      }
    }
    providers.sort(
        Comparator.comparingInt((ProviderInfo provider) -> provider.initOrder).reversed());
    providers.forEach(info -> info.applicationInfo = parsed.applicationInfo);
    FrameworkCalls.call(thread, "installContentProviders", application, providers);
  }
}
