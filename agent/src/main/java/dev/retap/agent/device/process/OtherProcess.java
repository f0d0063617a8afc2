// A process of the app beside its main one: classes, static fields, an Application and an
// ActivityThread of its own. It shares the main thread of the phone, and what the framework keeps
// in static fields, with the others.
package dev.retap.agent.device.process;

import android.os.Handler;
import dev.retap.agent.device.app.AppClassLoader;
import dev.retap.agent.device.app.AppProcess;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.shadow.system.BinderProxyShadow;
import java.util.ArrayList;
import java.util.List;

public final class OtherProcess implements BinderProxyShadow.Owner {
  final AppProcess process;
  final AppClassLoader loader;
  final int pid;

  /** The handler through which the system asks for things in this process. */
  final Handler requests;

  /** Those who hear of the end. */
  private final List<Runnable> endListeners = new ArrayList<>();

  private boolean isStarted;
  private boolean hasEnded;

  OtherProcess(AppProcess process, AppClassLoader loader, int pid) {
    this.process = process;
    this.loader = loader;
    this.pid = pid;
    requests = (Handler) FrameworkFields.get(process.thread(), "mH");
  }

  public int pid() {
    return pid;
  }

  public String name() {
    return process.processName();
  }

  @Override
  public boolean hasEnded() {
    return hasEnded;
  }

  void end() {
    hasEnded = true;
  }

  @Override
  public void whenEnded(Runnable listener) {
    endListeners.add(listener);
  }

  void tellEndListeners() {
    endListeners.forEach(Runnable::run);
  }

  @Override
  public boolean takeEnd() {
    if (hasEnded) {
      RunningCode.stopUnwinding();
    }
    return hasEnded;
  }

  @Override
  public void enter(Runnable code) {
    start();
    run(code);
  }

  /** Runs the app's own start, unless that has been done. */
  void start() {
    if (!isStarted && !hasEnded) {
      isStarted = true;
      run(() -> process.start(name()::equals));
    }
  }

  /** Runs code of this process: threads that it starts belong to the process too. */
  void run(Runnable code) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      code.run();
    } catch (RuntimeException | Error e) {
      RunningCode.noteThrown(this, e);
      throw e;
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
