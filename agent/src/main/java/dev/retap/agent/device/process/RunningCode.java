// Which process of the app the code belongs to that runs: that of a thread by its class loader,
// that of a message by its handler or callback. The end of another process than the main one ends
// only its own code.
package dev.retap.agent.device.process;

import android.app.ActivityThread;
import android.os.Looper;
import android.os.Message;
import dev.retap.agent.device.app.AppCalls;
import dev.retap.agent.shadow.ActivityThreadShadow;
import dev.retap.agent.world.ProcessEnded;
import dev.retap.agent.world.World;

public final class RunningCode {
  /** That of the app that runs now, or null before the first. */
  private static RunningCode current;

  private final AppProcesses processes;

  /** What code of another process than the main one threw last, and that process. */
  private Throwable thrown;

  private OtherProcess thrower;

  /** True while the main thread leaves the code of a process that has ended. */
  private boolean isUnwinding;

  private RunningCode(AppProcesses processes) {
    this.processes = processes;
  }

  /** Makes these the processes of the app that runs, and tells those who must know but not ask. */
  static void begin(AppProcesses processes) {
    current = new RunningCode(processes);
    ActivityThreadShadow.setOther(RunningCode::activityThread);
    AppCalls.setOthers(RunningCode::kill);
  }

  /** Returns the process whose code this thread runs, or null if it is the main one's. */
  private static OtherProcess of(Thread thread) {
    return current == null || !current.processes.areDeclared()
        ? null
        : current.processes.loadedBy(thread.getContextClassLoader());
  }

  /** Returns the thread object of the process whose code runs, or null if it is the main one's. */
  private static ActivityThread activityThread() {
    OtherProcess process = of(Thread.currentThread());
    return process == null ? null : process.process.thread();
  }

  /**
   * Returns the name of the process whose code threw this on the thread, or null if it was the main
   * one's.
   */
  public static String throwerName(Thread thread, Throwable cause) {
    boolean isNoted = current != null && current.thrown == cause;
    OtherProcess process = isNoted ? current.thrower : of(thread);
    return process == null ? null : process.name();
  }

  /**
   * Notes what leaves the code of a process: the main thread belongs to the main one again then.
   */
  static void noteThrown(OtherProcess process, Throwable cause) {
    current.thrown = cause;
    current.thrower = process;
  }

  static OtherProcess numbered(int number) {
    return current.processes.numbered(number);
  }

  /**
   * Runs one message of the main thread in the process that it belongs to.
   *
   * @param message the message that the task is about to run
   */
  public static void runMessage(Message message, Runnable task) {
    OtherProcess process = current == null ? null : current.processes.owner(message);
    guard(process == null ? task : () -> process.run(task));
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

  /** Stops the unwinding of the thread, whose caller goes on without the process. */
  static void stopUnwinding() {
    current.isUnwinding = false;
  }

  /** Ends the process of this id, if it is one of the app's beside the main one. */
  private static void kill(int pid) {
    current.processes.kill(pid);
  }

  /** Ends a process, and unwinds the thread if it runs code of that process. */
  static void exit(OtherProcess process) {
    if (process != null) {
      current.processes.end(process);
    }
    current.isUnwinding = Looper.getMainLooper().isCurrentThread();
    World.unwind();
  }

  /** Ends the process whose code this thread runs, unless it is the main one. */
  public static void exitOther() {
    OtherProcess process = of(Thread.currentThread());
    if (process != null) {
      exit(process);
    }
  }
}
