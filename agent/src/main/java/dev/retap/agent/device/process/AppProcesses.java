// All processes of the app: the main one, and those that its components ask for with
// android:process.
// The system starts one when a component of it is needed. Its end does not end the others.
package dev.retap.agent.device.process;

import android.app.ActivityManager.RunningAppProcessInfo;
import android.app.ActivityThread;
import android.content.Intent;
import android.content.pm.ComponentInfo;
import android.os.Looper;
import android.os.Message;
import android.os.Process;
import dev.retap.agent.device.app.AppClassLoader;
import dev.retap.agent.device.app.AppProcess;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.world.AppStatics;
import dev.retap.agent.world.ProcessEnded;
import dev.retap.agent.world.World;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntFunction;

public final class AppProcesses {
  private static final int BETWEEN_PIDS = 31;

  /** Those of the app that runs now. */
  private static AppProcesses current;

  private final AppProcess main;
  private final IntFunction<AppClassLoader> loaders;

  /** The numbers of the processes beside the main one, by their names. */
  private final Map<String, Integer> numbers = new LinkedHashMap<>();

  private final OtherProcess[] living = new OtherProcess[AppStatics.MOST_PROCESSES];
  private final List<Consumer<OtherProcess>> endListeners = new ArrayList<>();
  private final List<Consumer<OtherProcess>> startListeners = new ArrayList<>();
  private int started;

  /** What code of another process than the main one threw last, and that process. */
  private Throwable thrown;

  private OtherProcess thrower;

  /** True while the main thread leaves the code of a process that has ended. */
  private boolean isUnwinding;

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
    current = this;
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

  /** Returns true if both run in the same process. */
  public boolean isSame(ComponentInfo one, ComponentInfo other) {
    return Objects.equals(number(one.processName), number(other.processName));
  }

  private Integer number(String name) {
    return name == null ? null : numbers.get(name);
  }

  private synchronized OtherProcess named(String name) {
    Integer number = number(name);
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

  // ---- the code that runs

  /** Returns the process whose code this thread runs, or null if it is the main one's. */
  public static OtherProcess running(Thread thread) {
    return current == null || !current.areDeclared()
        ? null
        : current.loadedBy(thread.getContextClassLoader());
  }

  /** Returns the process whose code threw this on the thread, or null if it was the main one's. */
  public static OtherProcess thrower(Thread thread, Throwable cause) {
    return current != null && current.thrown == cause ? current.thrower : running(thread);
  }

  /**
   * Notes what leaves the code of a process: the main thread belongs to the main one again then.
   */
  static void noteThrown(OtherProcess process, Throwable cause) {
    current.thrown = cause;
    current.thrower = process;
  }

  static OtherProcess numbered(int number) {
    return current.living[number];
  }

  private OtherProcess loadedBy(ClassLoader loader) {
    if (loader instanceof AppClassLoader app && app.process() != 0) {
      OtherProcess process = living[app.process()];
      return process != null && process.loader == app ? process : null;
    }
    return null;
  }

  /**
   * Runs one message of the main thread in the process that it belongs to.
   *
   * @param message the message that the task is about to run
   */
  public static void runMessage(Message message, Runnable task) {
    OtherProcess process = current == null ? null : current.owner(message);
    guard(process == null ? task : () -> process.run(task));
  }

  /** Returns true if messages may belong to another process than the main one. */
  public static boolean areAny() {
    return current != null && current.started > 0;
  }

  /** Runs code of any process; the end of another process than the main one ends only the code. */
  public static void guard(Runnable code) {
    try {
      code.run();
    } catch (ProcessEnded e) {
      if (current == null || !current.isUnwinding) {
        throw e;
      }
      current.isUnwinding = false;
    }
  }

  private OtherProcess owner(Message message) {
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

  /** Runs code in the process; null is the main one. */
  public static void runIn(OtherProcess process, Runnable code) {
    if (process == null) {
      code.run();
    } else {
      process.start();
      process.run(code);
    }
  }

  // ---- the end

  /** Lets the code run when the process ends; null is the main one, with which all ends. */
  public static void whenEnded(OtherProcess process, Runnable code) {
    if (process != null) {
      process.endListeners.add(code);
    }
  }

  /** Returns true if the thread unwinds because of the end of this process, and stops that. */
  public static boolean takeEnd(OtherProcess process) {
    if (process == null || !process.hasEnded()) {
      return false;
    }
    current.isUnwinding = false;
    return true;
  }

  /** Ends the process of this id, if it is one of the app's beside the main one. */
  public static void kill(int pid) {
    for (OtherProcess process : current == null ? new OtherProcess[0] : current.living) {
      if (process != null && process.pid == pid) {
        current.end(process);
      }
    }
  }

  /** Ends a process, and unwinds the thread if it runs code of that process. */
  static void exit(OtherProcess process) {
    if (process != null) {
      current.end(process);
    }
    current.isUnwinding = Looper.getMainLooper().isCurrentThread();
    World.unwind();
  }

  /** Ends the process whose code this thread runs, unless it is the main one. */
  public static void exitOther() {
    OtherProcess process = running(Thread.currentThread());
    if (process != null) {
      exit(process);
    }
  }

  private void end(OtherProcess process) {
    process.end();
    living[process.loader.process()] = null;
    World.endThreads(process.loader);
    ProcessMessages.remove(process);
    ProcessWindows.remove(process);
    AppStatics.forget(process.loader.process());
    endListeners.forEach(listener -> listener.accept(process));
    process.endListeners.forEach(Runnable::run);
  }
}
