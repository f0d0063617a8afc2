// The ways in which activities leave the screen: the app finishes them, the user goes back or up,
// or their process ends.
package dev.retap.agent.device.system.activity;

import android.app.Activity;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.os.IBinder;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

final class ActivityFinisher {
  private final BackStack stack;
  private final LifecycleDriver lifecycle;
  private final ActivityStarter starter;
  private final PhoneFront front;
  private final Object lock;
  private Runnable listener = () -> {};

  /**
   * @param lock is held by whoever changes the stack
   */
  ActivityFinisher(
      BackStack stack,
      LifecycleDriver lifecycle,
      ActivityStarter starter,
      PhoneFront front,
      Object lock) {
    this.stack = stack;
    this.lifecycle = lifecycle;
    this.starter = starter;
    this.front = front;
    this.lock = lock;
  }

  void serve(BinderStub stub) {
    stub.on("finishActivity", locked(this::finish))
        .on("finishActivityAffinity", locked(call -> finishAffinity(record(call))))
        .on("finishSubActivity", locked(call -> finishSub(record(call), call.number(0))))
        .on("onBackPressed", locked(call -> backPressed(record(call))))
        .on("onBackPressedOnTaskRoot", locked(call -> backPressed(record(call))))
        .on("moveActivityTaskToBack", locked(call -> toBack(record(call))))
        .on("navigateUpTo", locked(this::navigateUp));
  }

  private Function<BinderCall, Object> locked(Function<BinderCall, Object> handler) {
    return call -> {
      synchronized (lock) {
        return handler.apply(call);
      }
    };
  }

  /** Sets who sees the screen before the activity in front finishes. */
  void setListener(Runnable listener) {
    this.listener = listener;
  }

  private ActivityRecord record(BinderCall call) {
    return stack.record(call.first(IBinder.class));
  }

  private Object finish(BinderCall call) {
    ActivityRecord record = record(call);
    if (record != null) {
      if (record == front.activity()) {
        listener.run();
      }
      Task task = record.task;
      lifecycle.finish(record, call.number(0), call.first(Intent.class));
      front.showHomeIfEnded(task);
      front.settle(false);
    }
    return true;
  }

  private Object finishAffinity(ActivityRecord record) {
    if (record != null) {
      Task task = record.task;
      List<ActivityRecord> activities = new ArrayList<>(task.activities);
      for (int i = activities.indexOf(record); i >= 0; i--) {
        ActivityRecord below = activities.get(i);
        if (!String.valueOf(below.info.taskAffinity).equals(record.info.taskAffinity)) {
          break;
        }
        lifecycle.finish(below, Activity.RESULT_CANCELED, null);
      }
      front.showHomeIfEnded(task);
      front.settle(false);
    }
    return true;
  }

  private Object finishSub(ActivityRecord parent, int requestCode) {
    for (ActivityRecord record : stack.all()) {
      if (record.resultTo == parent && record.requestCode == requestCode) {
        lifecycle.finish(record, Activity.RESULT_CANCELED, null);
      }
    }
    front.settle(false);
    return null;
  }

  private Object backPressed(ActivityRecord record) {
    if (record != null) {
      // From API 31 on a launcher's root is kept and its task moved back.
      if (record.task.activities.get(0) == record && DeclaredComponents.isLauncher(record.intent)) {
        toBack(record);
      } else {
        Task task = record.task;
        lifecycle.finish(record, Activity.RESULT_CANCELED, null);
        front.showHomeIfEnded(task);
        front.settle(false);
      }
    }
    return null;
  }

  private Object toBack(ActivityRecord record) {
    if (record != null) {
      stack.toBack(record.task);
      front.setHomeInFront(true);
      front.settle(true);
    }
    return true;
  }

  private Object navigateUp(BinderCall call) {
    ActivityRecord record = record(call);
    if (record == null) {
      return false;
    }
    Intent up = call.first(Intent.class);
    List<ActivityRecord> activities = record.task.activities;
    for (int i = activities.indexOf(record) - 1; i >= 0; i--) {
      ActivityRecord parent = activities.get(i);
      if (parent.component().equals(up.getComponent())) {
        for (ActivityRecord above : BackStack.above(parent)) {
          lifecycle.finish(above, call.number(0), call.nth(Intent.class, 1));
        }
        if (parent.info.launchMode != ActivityInfo.LAUNCH_MULTIPLE
            || (up.getFlags() & Intent.FLAG_ACTIVITY_CLEAR_TOP) != 0) {
          lifecycle.newIntent(parent, up);
        } else {
          starter.start(parent, up, parent.info, null, -1);
          lifecycle.finish(parent, Activity.RESULT_CANCELED, null);
        }
        front.settle(false);
        return true;
      }
    }
    Task task = record.task;
    lifecycle.finish(record, call.number(0), call.nth(Intent.class, 1));
    front.showHomeIfEnded(task);
    front.settle(false);
    return false;
  }

  /** Takes the activities of an ended process off the screen; those with a state can come back. */
  void processEnded(String process) {
    synchronized (lock) {
      List<Task> ended = new ArrayList<>(stack.tasks);
      stack.all().stream()
          .filter(record -> process.equals(record.info.processName))
          .forEach(lifecycle::lose);
      ended.forEach(front::showHomeIfEnded);
      front.settle(false);
    }
  }
}
