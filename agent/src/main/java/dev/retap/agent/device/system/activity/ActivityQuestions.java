// What an app asks about its own activities and tasks. Answers change nothing on the back stack.
package dev.retap.agent.device.system.activity;

import android.app.ActivityManager;
import android.content.ComponentName;
import android.content.pm.ActivityInfo;
import android.os.IBinder;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

final class ActivityQuestions {
  private final DeclaredComponents components;
  private final BackStack stack;
  private final Object lock;

  /**
   * @param lock is held by whoever changes the stack
   */
  ActivityQuestions(DeclaredComponents components, BackStack stack, Object lock) {
    this.components = components;
    this.stack = stack;
    this.lock = lock;
  }

  void serve(BinderStub stub) {
    stub.on("getTaskForActivity", this::task)
        .on("isTopOfTask", about(record -> record.task.top() == record, false))
        .on("getCallingActivity", about(ActivityQuestions::caller, null))
        .on("getCallingPackage", about(this::callingPackage, null))
        .on("getLaunchedFromPackage", call -> components.packageName())
        .on(
            "getRequestedOrientation",
            about(
                record -> record.requestedOrientation, ActivityInfo.SCREEN_ORIENTATION_UNSPECIFIED))
        .on("getActivityClassForToken", about(ActivityRecord::component, null))
        .on("getPackageForToken", call -> components.packageName())
        .on("getTasks", call -> runningTasks());
  }

  /** Answers a question about the activity that asks; gives the other answer if it is gone. */
  private Function<BinderCall, Object> about(
      Function<ActivityRecord, Object> answer, Object ifGone) {
    return call -> {
      synchronized (lock) {
        ActivityRecord record = stack.record(call.first(IBinder.class));
        return record == null ? ifGone : answer.apply(record);
      }
    };
  }

  private Object task(BinderCall call) {
    boolean onlyRoot = call.flag(0);
    return about(
            record ->
                !onlyRoot || record.task.activities.get(0) == record
                    ? (Integer) record.task.id
                    : -1,
            -1)
        .apply(call);
  }

  private static ComponentName caller(ActivityRecord record) {
    return record.resultTo == null ? null : record.resultTo.component();
  }

  private Object callingPackage(ActivityRecord record) {
    return record.resultTo == null ? null : components.packageName();
  }

  /** Answers ActivityManager.getRunningTasks: an app sees its own tasks, topmost first. */
  private Object runningTasks() {
    List<ActivityManager.RunningTaskInfo> running = new ArrayList<>();
    synchronized (lock) {
      for (Task task : stack.tasks) {
        ActivityManager.RunningTaskInfo info = new ActivityManager.RunningTaskInfo();
        info.id = task.id;
        info.numActivities = task.activities.size();
        info.baseActivity = task.activities.get(0).component();
        info.topActivity = task.top().component();
        running.add(0, info);
      }
    }
    return running;
  }
}
