// A test APK in the process of the app that it tests: its package with resources of its own, and
// its instrumentation, which the framework's own code sets up as
// ActivityThread.handleBindApplication does.
package dev.retap.agent.device.app;

import android.app.ActivityThread;
import android.app.Instrumentation;
import android.app.LoadedApk;
import android.content.ComponentName;
import android.content.Context;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageParser;
import android.os.Bundle;
import android.os.Process;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.shadow.ActivityThreadShadow;
import java.nio.file.Path;
import java.util.List;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPackageManager;
import org.robolectric.shadows.ShadowPackageParser;

public final class TestPackage {
  private final String apk;
  private final Path data;
  private final ComponentName runner;
  private final Bundle arguments = new Bundle();
  private final Object watcher;
  private final Object automation;
  private final boolean isOutside;
  private Context appContext;
  private Context ownContext;
  private Instrumentation instrumentation;

  /**
   * @param apk the test APK, or empty if the app's own APK has the instrumentation
   * @param data the folder of the phone's files
   * @param runner the component of the instrumentation: PACKAGE/CLASS
   * @param arguments keys and values in turn
   * @param watcher an IInstrumentationWatcher
   * @param automation an IUiAutomationConnection
   * @param isOutside whether the tests drive the app from outside, so that their instrumentation
   *     sees nothing of its life; on a phone they have a process of their own
   */
  public TestPackage(
      String apk,
      Path data,
      String runner,
      List<String> arguments,
      Object watcher,
      Object automation,
      boolean isOutside) {
    this.apk = apk;
    this.data = data;
    this.runner = ComponentName.unflattenFromString(runner);
    for (int i = 0; i + 1 < arguments.size(); i += 2) {
      this.arguments.putString(arguments.get(i), arguments.get(i + 1));
    }
    this.watcher = watcher;
    this.automation = automation;
    this.isOutside = isOutside;
  }

  /** Returns the name of the package. */
  public String name() {
    return runner.getPackageName();
  }

  /** Installs the package beside the app. */
  void install(ActivityThread thread, ClassLoader loader, Context app) {
    appContext = app;
    ownContext = apk.isEmpty() ? app : createContext(thread, loader);
  }

  /** Makes the instrumentation, before any other code of the app runs, and the process's own. */
  void enter(ActivityThread thread, ClassLoader loader) {
    try {
      instrumentation =
          (Instrumentation)
              loader.loadClass(runner.getClassName()).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new RuntimeException(
          "Unable to instantiate instrumentation " + runner.getClassName() + ": " + e, e);
    }
    if (!isOutside) {
      FrameworkFields.set(thread, "mInstrumentation", instrumentation);
    }
    FrameworkCalls.call(
        instrumentation, "init", thread, ownContext, appContext, runner, watcher, automation);
  }

  /** Calls the instrumentation's onCreate, which usually starts the thread of the tests. */
  void create() {
    instrumentation.onCreate(arguments);
  }

  private Context createContext(ActivityThread thread, ClassLoader loader) {
    PackageParser.Package parsed = ShadowPackageParser.callParsePackage(Path.of(apk));
    ApplicationInfo info = parsed.applicationInfo;
    info.uid = Process.myUid();
    info.processName = appContext.getApplicationInfo().processName;
    info.sourceDir = parsed.codePath;
    info.publicSourceDir = parsed.codePath;
    PhoneFolders folders = new PhoneFolders(info.packageName, data.resolve("test"));
    folders.createBeside();
    AppProcess.setFolders(info, folders);
    ShadowPackageManager packages =
        Shadow.extract(RuntimeEnvironment.systemContext.getPackageManager());
    packages.addPackageInternal(parsed);
    // The host makes up folders of its own for a package that it is given.
    AppProcess.setFolders(info, folders);
    AppProcess.setFolders(
        packages.getInternalMutablePackageInfo(info.packageName).applicationInfo, folders);
    LoadedApk loaded = thread.getPackageInfo(info, null, Context.CONTEXT_INCLUDE_CODE);
    FrameworkFields.set(loaded, "mClassLoader", loader);
    Shadow.<ActivityThreadShadow>extract(thread).setTest(loaded);
    return (Context)
        FrameworkCalls.callStatic("android.app.ContextImpl", "createAppContext", thread, loaded);
  }
}
