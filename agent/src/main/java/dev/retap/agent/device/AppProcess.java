// The app's process: what ActivityThread.handleBindApplication does on a phone, with the app's
// classes from a loader of their own. One per reset and one per process death.
package dev.retap.agent.device;

import android.app.ActivityThread;
import android.app.Application;
import android.app.Instrumentation;
import android.app.LoadedApk;
import android.content.Context;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageParser;
import android.content.pm.ProviderInfo;
import android.content.res.Configuration;
import android.os.Process;
import dalvik.system.CloseGuard;
import dev.retap.agent.shadow.ClientThread;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.Bootstrap;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowActivityThread;
import org.robolectric.shadows.ShadowPackageManager;
import org.robolectric.shadows.ShadowPackageParser;

final class AppProcess {
  final ActivityThread thread;
  final Context context;
  private final ClassLoader loader;
  private final LoadedApk loadedApk;
  private final PackageParser.Package parsed;

  /** Everything up to the point where the first line of the app's code runs. */
  AppProcess(ClassLoader loader, List<String> apks, Path data) {
    this.loader = loader;
    // As ActivityThread.main does, before the app may ask for it: each warning costs a stack trace.
    CloseGuard.setEnabled(false);
    thread = (ActivityThread) RuntimeEnvironment.getActivityThread();
    Context system =
        (Context) ByType.callStatic("android.app.ContextImpl", "createSystemContext", thread);
    RuntimeEnvironment.systemContext = system;
    ByType.set(thread, "mSystemContext", system);
    ByType.set(ByType.get(system, "mPackageInfo"), "mClassLoader", AppProcess.class.getClassLoader());

    // Shadows ask for "the application" while the real one is still being made.
    Application placeholder = new Application();
    ByType.call(placeholder, "attach", system);
    ByType.set(thread, "mInitialApplication", placeholder);
    RuntimeEnvironment.application = placeholder;

    parsed = ShadowPackageParser.callParsePackage(Path.of(apks.get(0)));
    ApplicationInfo info = parsed.applicationInfo;
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
    info.dataDir = data.resolve("data").toString();
    info.nativeLibraryDir = data.resolve("lib").toString();
    if (RuntimeEnvironment.getApiLevel() >= 24) {
      info.credentialProtectedDataDir = info.dataDir;
      info.deviceProtectedDataDir = data.resolve("de").toString();
    }
    data.resolve("data").toFile().mkdirs();
    data.resolve("de").toFile().mkdirs();
    ShadowActivityThread.setApplicationInfo(info);

    Configuration configuration = Bootstrap.getConfiguration();
    Shadow.<ShadowActivityThread>extract(thread).setCompatConfiguration(configuration);
    Bootstrap.setUpDisplay();
    thread.applyConfigurationToResources(configuration);

    Object bind = construct("android.app.ActivityThread$AppBindData");
    ByType.set(bind, "processName", info.processName);
    ByType.set(bind, "appInfo", info);
    ByType.set(thread, "mBoundApplication", bind);
    ByType.set(thread, "mProfiler", construct("android.app.ActivityThread$Profiler"));

    Shadow.<ShadowPackageManager>extract(system.getPackageManager()).addPackageInternal(parsed);
    loadedApk = thread.getPackageInfo(info, null, Context.CONTEXT_INCLUDE_CODE);
    ByType.set(loadedApk, "mClassLoader", loader);
    Shadow.<ClientThread>extract(thread).setApp(loadedApk);
    context =
        (Context) ByType.callStatic("android.app.ContextImpl", "createAppContext", thread,
            loadedApk);
    ByType.set(thread.getInstrumentation(), "mInstrContext", context);
    ByType.set(thread.getInstrumentation(), "mAppContext", context);
  }

  /** Runs the app's own start: application class, providers, onCreate, in the phone's order. */
  void start() {
    try {
      run();
    } catch (ReflectiveOperationException e) {
      throw new RuntimeException("Unable to instantiate application " + name(), e);
    }
  }

  private void run() throws ReflectiveOperationException {
    ApplicationInfo info = parsed.applicationInfo;
    Thread.currentThread().setContextClassLoader(loader);
    if (RuntimeEnvironment.getApiLevel() >= 28) {
      ByType.set(loadedApk, "mAppComponentFactory", componentFactory(info));
    }
    Instrumentation instrumentation = thread.getInstrumentation();
    Application application = instrumentation.newApplication(loader, name(), context);
    ByType.set(context, "mOuterContext", application);
    ByType.set(loadedApk, "mApplication", application);
    ByType.set(thread, "mInitialApplication", application);
    @SuppressWarnings("unchecked")
    List<Application> all = (List<Application>) ByType.get(thread, "mAllApplications");
    all.add(application);
    RuntimeEnvironment.application = application;
    RuntimeEnvironment.setConfiguredApplicationClass(application.getClass());
    if (RuntimeEnvironment.getApiLevel() >= 26) {
      ByType.callStatic("android.provider.FontsContract", "setApplicationContextForResources",
          application);
    }
    installProviders(application);
    instrumentation.callApplicationOnCreate(application);
  }

  private String name() {
    String name = parsed.applicationInfo.className;
    return name == null ? "android.app.Application" : name;
  }

  private Object componentFactory(ApplicationInfo info) throws ReflectiveOperationException {
    String name = info.appComponentFactory;
    if (name == null) {
      return construct("android.app.AppComponentFactory");
    }
    String full = name.startsWith(".") ? info.packageName + name : name;
    return loader.loadClass(full).getDeclaredConstructor().newInstance();
  }

  private void installProviders(Application application) {
    List<ProviderInfo> providers = new ArrayList<>();
    for (PackageParser.Provider provider : parsed.providers) {
      if (provider.info.enabled && provider.info.authority != null) {
        providers.add(provider.info);
      }
    }
    providers.sort(Comparator.comparingInt((ProviderInfo provider) -> provider.initOrder).reversed());
    providers.forEach(info -> info.applicationInfo = parsed.applicationInfo);
    ByType.call(thread, "installContentProviders", application, providers);
  }

  private static Object construct(String type) {
    try {
      var constructor = ByType.type(type).getDeclaredConstructor();
      constructor.setAccessible(true);
      return constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(type, e);
    }
  }
}
