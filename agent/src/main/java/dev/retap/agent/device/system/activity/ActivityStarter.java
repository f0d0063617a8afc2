// Decides where a started activity goes, from launch modes, intent flags and task affinities, as
// Android's activity manager does.
package dev.retap.agent.device.system.activity;

import android.app.Activity;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import java.util.ArrayList;

final class ActivityStarter {
  private final BackStack stack;
  private final LifecycleDriver lifecycle;

  ActivityStarter(BackStack stack, LifecycleDriver lifecycle) {
    this.stack = stack;
    this.lifecycle = lifecycle;
  }

  /** Puts the activity on the stack; {@link LifecycleDriver#settle} gives the orders later. */
  void start(ActivityRecord caller, Intent intent, ActivityInfo info, String who, int requestCode) {
    int flags = intent.getFlags();
    boolean asksForTask = (flags & Intent.FLAG_ACTIVITY_NEW_TASK) != 0;
    if (asksForTask && requestCode >= 0 && caller != null) {
      // Results do not cross tasks.
      lifecycle.deliver(caller, who, requestCode, Activity.RESULT_CANCELED, null);
      requestCode = -1;
    }
    boolean newTask = asksForTask || caller == null || requestCode < 0 && ownsTask(info, caller);
    ActivityRecord resultTo = requestCode >= 0 ? caller : null;
    if ((flags & Intent.FLAG_ACTIVITY_FORWARD_RESULT) != 0 && caller != null) {
      resultTo = caller.resultTo;
      who = caller.resultWho;
      requestCode = caller.requestCode;
      caller.resultTo = null;
    }
    Task task = newTask ? taskFor(info, flags) : caller.task;
    boolean existed = !task.activities.isEmpty();
    stack.toFront(task);
    task.fromHome = newTask ? caller == null : task.fromHome;
    Intent started = new Intent(intent);
    started.setComponent(new ComponentName(info.packageName, info.name));
    if ((flags & Intent.FLAG_ACTIVITY_CLEAR_TASK) != 0) {
      new ArrayList<>(task.activities).forEach(lifecycle::drop);
      stack.toFront(task);
    } else if (existed && newTask && isLauncherOf(task, started)) {
      return;
    }
    if (!existed || (flags & Intent.FLAG_ACTIVITY_CLEAR_TASK) != 0) {
      task.startedFor = started.getComponent();
    }
    if (!reuse(task, info, started, flags)) {
      if (caller != null && caller.leavesNoHistory()) {
        lifecycle.finish(caller, Activity.RESULT_CANCELED, null);
        stack.toFront(task);
      }
      ActivityRecord record = new ActivityRecord(started, info, resultTo, who, requestCode);
      record.task = task;
      task.activities.add(record);
    }
  }

  private static boolean ownsTask(ActivityInfo info, ActivityRecord caller) {
    return info.launchMode == ActivityInfo.LAUNCH_SINGLE_TASK
        || info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE
        || caller.info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE;
  }

  /** Uses an activity that is already in the task; returns false if a new one is needed. */
  private boolean reuse(Task task, ActivityInfo info, Intent intent, int flags) {
    ActivityRecord top = task.top();
    boolean single = info.launchMode != ActivityInfo.LAUNCH_MULTIPLE;
    boolean singleTop = single || (flags & Intent.FLAG_ACTIVITY_SINGLE_TOP) != 0;
    if (top != null && top.is(info) && singleTop) {
      lifecycle.newIntent(top, intent);
      return true;
    }
    ActivityRecord existing = BackStack.find(task, info);
    if (existing == null) {
      return false;
    }
    if ((flags & Intent.FLAG_ACTIVITY_CLEAR_TOP) != 0
        || info.launchMode == ActivityInfo.LAUNCH_SINGLE_TASK
        || info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE) {
      for (ActivityRecord above : BackStack.above(existing)) {
        lifecycle.finish(above, Activity.RESULT_CANCELED, null);
      }
      if (singleTop) {
        lifecycle.newIntent(existing, intent);
        return true;
      }
      lifecycle.finish(existing, Activity.RESULT_CANCELED, null);
      stack.toFront(task);
      return false;
    }
    if ((flags & Intent.FLAG_ACTIVITY_REORDER_TO_FRONT) != 0) {
      task.activities.remove(existing);
      task.activities.add(existing);
      lifecycle.newIntent(existing, intent);
      return true;
    }
    return false;
  }

  private Task taskFor(ActivityInfo info, int flags) {
    boolean singleInstance = info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE;
    boolean asksForNew =
        (flags & (Intent.FLAG_ACTIVITY_MULTIPLE_TASK | Intent.FLAG_ACTIVITY_NEW_DOCUMENT)) != 0;
    String affinity = singleInstance ? info.name : String.valueOf(info.taskAffinity);
    Task task = asksForNew ? null : stack.withAffinity(affinity);
    return task == null ? stack.newTask(affinity) : task;
  }

  private static boolean isLauncherOf(Task task, Intent intent) {
    return DeclaredComponents.isLauncher(intent) && intent.getComponent().equals(task.startedFor);
  }
}
