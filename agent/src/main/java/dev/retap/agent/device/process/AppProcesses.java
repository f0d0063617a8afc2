// All processes of the app: the main one, and those that its components ask for with
// android:process. The system starts one when a component of it is needed. Its end does not end
// the others.
package dev.retap.agent.device.process;

import android.app.ActivityManager.RunningAppProcessInfo;
import android.app.ActivityThread;
import android.content.Intent;
import android.content.pm.ComponentInfo;
import android.os.Message;
import android.os.Process;
import dev.retap.agent.device.app.AppClassLoader;
import dev.retap.agent.device.app.AppProcess;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.world.AppStatics;
import dev.retap.agent.world.World;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;

public final class AppProcesses {
  private static final int BETWEEN_PIDS = 31;

  private final AppProcess main;
  private final IntFunction<AppClassLoader> loaders;

  /** The numbers of the processes beside the main one, by their names. */
  private final Map<String, Integer> numbers = new LinkedHashMap<>();

  private final OtherProcess[] living = new OtherProcess[AppStatics.MOST_PROCESSES];
  private final List<Consumer<OtherProcess>> endListeners = new ArrayList<>();
  private final List<Consumer<OtherProcess>> startListeners = new ArrayList<>();
  private int started;

  /**
   * @param loaders makes the class loader of a process, by its number
   */
  public AppProcesses(AppProcess main, IntFunction<AppClassLoader> loaders) {
    this.main = main;
    this.loaders = loaders;
    for (String name : main.declaredProcesses()) {
      if (numbers.size() + 1 < AppStatics.MOST_PROCESSES) {
        numbers.put(name, numbers.size() + 1);
      }
    }
    RunningCode.begin(this);
  }

  public void serve(BinderStub stub) {
    stub.on("getRunningAppProcesses", call -> running());
  }

  /** Adds a listener that hears of a process before the first line of its code runs. */
  public void onStart(Consumer<OtherProcess> listener) {
    startListeners.add(listener);
  }

  /** Adds a listener that hears of the end of a process beside the main one. */
  public void onEnd(Consumer<OtherProcess> listener) {
    endListeners.add(listener);
  }

  public AppProcess main() {
    return main;
  }

  /** Runs the start of the app in its main process. */
  public void startMain() {
    main.start(name -> !numbers.containsKey(name));
  }

  /** Returns the process that runs the component, which is started if need be; null is the main. */
  public OtherProcess of(ComponentInfo component) {
    return numbers.isEmpty() ? null : named(component.processName);
  }

  private synchronized OtherProcess named(String name) {
    Integer number = name == null ? null : numbers.get(name);
    if (number == null) {
      return null;
    }
    if (living[number] == null) {
      AppClassLoader loader = loaders.apply(number);
      int pid = Process.myPid() + BETWEEN_PIDS * ++started;
      OtherProcess process = new OtherProcess(main.fork(loader, name), loader, pid);
      living[number] = process;
      startListeners.forEach(listener -> listener.accept(process));
      // What the component is asked for comes later in the same queue.
      process.requests.post(process::start);
    }
    return living[number];
  }

  /** Returns the process that has made the call, or null if it was the main one. */
  public OtherProcess caller(BinderCall call) {
    if (numbers.isEmpty()) {
      return null;
    }
    Object thread = call.first(FrameworkCalls.type("android.app.IApplicationThread"));
    for (OtherProcess process : living) {
      if (process != null && process.process.thread().getApplicationThread() == thread) {
        return process;
      }
    }
    return null;
  }

  /** Returns the thread in which the system asks for the component. */
  public Object threadOf(ComponentInfo component) {
    return thread(of(component)).getApplicationThread();
  }

  /** Returns the thread object of a process; null is the main one. */
  public ActivityThread thread(OtherProcess process) {
    return process == null ? main.thread() : process.process.thread();
  }

  /** Returns the intent as it arrives in another process, or as it is in the same one. */
  public Intent pass(Intent intent, OtherProcess from, OtherProcess to) {
    return from == to || intent == null ? intent : Passing.copy(intent);
  }

  /** Returns the intent as it arrives at a component that may run in another process. */
  public Intent pass(Intent intent) {
    return intent == null || numbers.isEmpty() ? intent : Passing.copy(intent);
  }

  /** Returns true if a component may run in another process. */
  public boolean areDeclared() {
    return !numbers.isEmpty();
  }

  private List<RunningAppProcessInfo> running() {
    List<RunningAppProcessInfo> all = new ArrayList<>();
    all.add(info(main.processName(), Process.myPid()));
    for (OtherProcess process : living) {
      if (process != null) {
        all.add(info(process.name(), process.pid));
      }
    }
    return all;
  }

  private RunningAppProcessInfo info(String name, int pid) {
    String[] packages = {main.context().getPackageName()};
    RunningAppProcessInfo info = new RunningAppProcessInfo(name, pid, packages);
    info.uid = Process.myUid();
    info.importance = RunningAppProcessInfo.IMPORTANCE_FOREGROUND;
    return info;
  }

  // ---- those that live

  OtherProcess numbered(int number) {
    return living[number];
  }

  /** Returns the process that has loaded classes with this, or null if it is not another one. */
  OtherProcess loadedBy(ClassLoader loader) {
    if (loader instanceof AppClassLoader app && app.process() != 0) {
      OtherProcess process = living[app.process()];
      return process != null && process.loader == app ? process : null;
    }
    return null;
  }

  /** Returns the process that a message of the main thread belongs to; null is the main one. */
  OtherProcess owner(Message message) {
    if (message == null || message.getTarget() == null) {
      return null;
    }
    for (OtherProcess process : living) {
      if (process != null && process.requests == message.getTarget()) {
        return process;
      }
    }
    Runnable callback = message.getCallback();
    OtherProcess process = callback == null ? null : loadedBy(callback.getClass().getClassLoader());
    return process == null ? loadedBy(message.getTarget().getClass().getClassLoader()) : process;
  }

  void kill(int pid) {
    for (OtherProcess process : living) {
      if (process != null && process.pid == pid) {
        end(process);
      }
    }
  }

  void end(OtherProcess process) {
    process.end();
    living[process.loader.process()] = null;
    World.endThreads(process.loader);
    ProcessMessages.remove(process);
    ProcessWindows.remove(process);
    AppStatics.forget(process.loader.process());
    endListeners.forEach(listener -> listener.accept(process));
    process.tellEndListeners();
  }
}
