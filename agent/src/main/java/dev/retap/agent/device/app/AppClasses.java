// The app's classes in one process after the other. Processes share one class loader where that is
// possible, so that code which is loaded and compiled stays so; static fields begin anew.
package dev.retap.agent.device.app;

import dev.retap.agent.world.AppStatics;

public final class AppClasses {
  /** Set to load classes anew for each process, which must make no difference. */
  private static final boolean ANEW = Boolean.getBoolean("retap.classes.anew");

  private final AppCode code;
  private final ClassLoader sandbox;
  private final boolean areShared;
  private AppClassLoader loader;

  /**
   * @param areShared whether the app's code was prepared for many processes
   */
  public AppClasses(AppCode code, ClassLoader sandbox, boolean areShared) {
    this.code = code;
    this.sandbox = sandbox;
    this.areShared = areShared && !ANEW;
  }

  /**
   * Returns the class loader of a new process.
   *
   * @param haveThreadsEnded whether no thread of the former process can still run
   */
  public AppClassLoader begin(boolean haveThreadsEnded) {
    if (loader != null && areShared && haveThreadsEnded) {
      AppStatics.clear();
    } else {
      AppStatics.abandon();
      loader = new AppClassLoader(code, sandbox, 0);
    }
    NativeLibraries.begin(code.nativeLibraries());
    return loader;
  }

  /** Returns a class loader for another process of the app, which lives beside the main one. */
  public AppClassLoader beginOther(int process) {
    return new AppClassLoader(code, sandbox, process);
  }
}
