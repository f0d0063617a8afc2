// Targets of rewritten calls in classes of a process beside the main one (OtherProcessRewriter).
// The last argument is the number of that process. The class is public because the app's classes
// come from another class loader.
package dev.retap.agent.device.process;

import android.app.Application;
import android.os.Process;
import dev.retap.agent.device.app.AppCalls;

public final class ProcessCalls {
  private ProcessCalls() {}

  public static void exit(int code, int process) {
    RunningCode.exit(RunningCode.numbered(process));
  }

  public static void exit(Runtime runtime, int code, int process) {
    exit(code, process);
  }

  public static void killProcess(int pid, int process) {
    if (pid == myPid(process)) {
      exit(0, process);
    } else {
      AppCalls.killProcess(pid);
    }
  }

  public static int myPid(int process) {
    OtherProcess own = RunningCode.numbered(process);
    return own == null ? Process.myPid() : own.pid;
  }

  public static String processName(int process) {
    OtherProcess own = RunningCode.numbered(process);
    return own == null ? Application.getProcessName() : own.name();
  }
}
