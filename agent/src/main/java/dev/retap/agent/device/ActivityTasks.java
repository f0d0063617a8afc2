// The activity-task server: what the app, the user and the rest of the phone ask of the back stack.
// It only gives orders; the framework's own ActivityThread carries them out on the main thread.
package dev.retap.agent.device;

import android.app.Activity;
import android.app.ActivityManager;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.os.Bundle;
import android.os.IBinder;
import java.util.ArrayList;
import java.util.List;

final class ActivityTasks {
  private static final int START_SUCCESS = 0;

  private final Components components;
  private final OutsideWorld outside;
  private final Orientation orientation;
  private final BackStack stack;
  private final ActivityOrders orders;
  private final ActivityStarter starter;
  private boolean home;

  ActivityTasks(
      Components components,
      ActivityClient client,
      OutsideWorld outside,
      Orientation orientation,
      List<Task> formerTasks) {
    this.components = components;
    this.outside = outside;
    this.orientation = orientation;
    stack = new BackStack(formerTasks);
    orders = new ActivityOrders(components, client, stack);
    starter = new ActivityStarter(components, stack, orders);
  }

  void serve(BinderStub stub) {
    stub.on("startActivity", this::startCall)
        .on("startActivityAsUser", this::startCall)
        .on("startActivityAsCaller", this::startCall)
        .on("startActivities", this::startAllCall)
        .on("finishActivity", this::finishCall)
        .on("finishActivityAffinity", call -> finishAffinity(record(call)))
        .on("finishSubActivity", call -> finishSub(record(call), call.number(0)))
        .on("onBackPressed", call -> backPressed(record(call)))
        .on("onBackPressedOnTaskRoot", call -> backPressed(record(call)))
        .on("moveActivityTaskToBack", call -> toBack(record(call)))
        .on("navigateUpTo", this::navigateUp)
        .on("willActivityBeVisible", call -> visible().contains(record(call)))
        .on("activityStopped", this::stopped)
        .on("getTaskForActivity", call -> taskOf(record(call), call.flag(0)))
        .on("isTopOfTask", call -> isTop(record(call)))
        .on("getCallingActivity", call -> caller(record(call)))
        .on("getCallingPackage", call -> callingPackage(record(call)))
        .on("getLaunchedFromPackage", call -> components.packageName())
        .on("getRequestedOrientation", call -> requestedOrientation(record(call)))
        .on("setRequestedOrientation", call -> orient(record(call), call.number(0)))
        .on("getActivityClassForToken", call -> component(record(call)))
        .on("getPackageForToken", call -> components.packageName())
        .on("getTasks", call -> running());
  }

  synchronized List<Task> tasks() {
    return stack.tasks;
  }

  /** The app's activity the user can act on, or null when home or another app is in front. */
  synchronized ActivityRecord front() {
    return home || outside.current() != null ? null : stack.top();
  }

  /** The app's activities that can be seen, lowest first. */
  synchronized List<ActivityRecord> visible() {
    List<ActivityRecord> visible = new ArrayList<>();
    if (home || stack.top() == null || outside.current() != null && !outside.current().overlay()) {
      return visible;
    }
    List<ActivityRecord> activities = stack.top().task.activities;
    for (int i = activities.size() - 1; i >= 0; i--) {
      visible.add(0, activities.get(i));
      if (!components.isTranslucent(activities.get(i).info)) {
        break;
      }
    }
    return visible;
  }

  synchronized void launcher(Intent intent) {
    outside.leave();
    start(null, intent, null, -1);
  }

  synchronized void goHome() {
    outside.leave();
    home = true;
    settle(true);
  }

  /** Swipes the app away: its tasks go, their activities are destroyed. */
  synchronized void close() {
    stack.all().forEach(orders::drop);
    goHome();
  }

  /** Back, or a choice made, on a stand-in of the outside world. */
  synchronized void outsideDone(int resultCode, Intent data) {
    OutsideWorld.Visit visit = outside.leave();
    if (visit != null && visit.resultTo() != null && visit.requestCode() >= 0) {
      orders.deliver(visit.resultTo(), visit.resultWho(), visit.requestCode(), resultCode, data);
    }
    settle(false);
  }

  /** A result that comes from nobody's activity. */
  synchronized void result(ActivityRecord to, String who, int request, int code, Intent data) {
    orders.deliver(to, who, request, code, data);
  }

  /** The phone is held another way; whether the display turns is for the app in front to say. */
  synchronized void held() {
    settle(false);
  }

  synchronized void configurationChanged() {
    settle(false, true);
  }

  /** Starts an intent; the answer is one of ActivityManager.START_…. */
  synchronized int start(ActivityRecord caller, Intent intent, String who, int requestCode) {
    ActivityInfo info = components.activity(intent);
    if (info != null) {
      home = false;
      outside.leave();
      starter.start(caller, intent, info, who, requestCode);
    } else if (!outside.visit(intent, caller, who, requestCode)) {
      return constant(
          intent.getComponent() == null ? "START_INTENT_NOT_RESOLVED" : "START_CLASS_NOT_FOUND");
    }
    settle((intent.getFlags() & Intent.FLAG_ACTIVITY_NO_USER_ACTION) == 0);
    return START_SUCCESS;
  }

  synchronized ActivityRecord record(IBinder token) {
    return stack.record(token);
  }

  private Object startCall(BinderCall call) {
    IBinder token = call.first(IBinder.class);
    return start(record(token), call.first(Intent.class), call.last(String.class), call.number(0));
  }

  private Object startAllCall(BinderCall call) {
    int result = START_SUCCESS;
    for (Intent intent : call.first(Intent[].class)) {
      result = start(record(call.first(IBinder.class)), intent, null, -1);
    }
    return result;
  }

  private synchronized Object finishCall(BinderCall call) {
    ActivityRecord record = record(call);
    if (record != null) {
      Task task = record.task;
      orders.finish(record, call.number(0), call.first(Intent.class));
      homeAfter(task);
      settle(false);
    }
    return true;
  }

  private synchronized Object finishAffinity(ActivityRecord record) {
    if (record != null) {
      Task task = record.task;
      List<ActivityRecord> activities = new ArrayList<>(task.activities);
      for (int i = activities.indexOf(record); i >= 0; i--) {
        ActivityRecord below = activities.get(i);
        if (!String.valueOf(below.info.taskAffinity).equals(record.info.taskAffinity)) {
          break;
        }
        orders.finish(below, Activity.RESULT_CANCELED, null);
      }
      homeAfter(task);
      settle(false);
    }
    return true;
  }

  private synchronized Object finishSub(ActivityRecord parent, int requestCode) {
    for (ActivityRecord record : stack.all()) {
      if (record.resultTo == parent && record.requestCode == requestCode) {
        orders.finish(record, Activity.RESULT_CANCELED, null);
      }
    }
    settle(false);
    return null;
  }

  private synchronized Object backPressed(ActivityRecord record) {
    if (record != null) {
      // Since API 31 a launcher's root is kept and its task moved back.
      if (record.task.activities.get(0) == record && components.isLauncher(record.intent)) {
        toBack(record);
      } else {
        Task task = record.task;
        orders.finish(record, Activity.RESULT_CANCELED, null);
        homeAfter(task);
        settle(false);
      }
    }
    return null;
  }

  private synchronized Object toBack(ActivityRecord record) {
    if (record != null) {
      stack.toBack(record.task);
      home = true;
      settle(true);
    }
    return true;
  }

  private synchronized Object navigateUp(BinderCall call) {
    ActivityRecord record = record(call);
    Intent up = call.first(Intent.class);
    List<ActivityRecord> activities = record.task.activities;
    for (int i = activities.indexOf(record) - 1; i >= 0; i--) {
      ActivityRecord parent = activities.get(i);
      if (parent.component().equals(up.getComponent())) {
        for (ActivityRecord above : BackStack.above(parent)) {
          orders.finish(above, call.number(0), call.nth(Intent.class, 1));
        }
        if (parent.info.launchMode != ActivityInfo.LAUNCH_MULTIPLE
            || (up.getFlags() & Intent.FLAG_ACTIVITY_CLEAR_TOP) != 0) {
          orders.newIntent(parent, up);
        } else {
          starter.start(parent, up, parent.info, null, -1);
          orders.finish(parent, Activity.RESULT_CANCELED, null);
        }
        settle(false);
        return true;
      }
    }
    Task task = record.task;
    orders.finish(record, call.number(0), call.nth(Intent.class, 1));
    homeAfter(task);
    settle(false);
    return false;
  }

  /** A task that has come to its end shows the home screen, not the app's next task. */
  private void homeAfter(Task task) {
    if (task.activities.isEmpty() && task.fromHome) {
      home = true;
    }
  }

  private synchronized Object stopped(BinderCall call) {
    ActivityRecord record = record(call);
    if (record != null) {
      record.savedState = call.first(Bundle.class);
    }
    return null;
  }

  private synchronized Object orient(ActivityRecord record, int request) {
    if (record != null) {
      record.requestedOrientation = request;
      settle(false);
    }
    return null;
  }

  private void settle(boolean userLeaving) {
    settle(userLeaving, false);
  }

  private void settle(boolean userLeaving, boolean changed) {
    if (stack.top() == null) {
      home = true;
    }
    List<ActivityRecord> visible = visible();
    orders.settle(front(), visible, userLeaving, orientation.follow(visible) || changed);
  }

  /** What ActivityManager.getRunningTasks shows an app: its own tasks, topmost first. */
  private synchronized Object running() {
    List<ActivityManager.RunningTaskInfo> running = new ArrayList<>();
    for (Task task : stack.tasks) {
      ActivityManager.RunningTaskInfo info = new ActivityManager.RunningTaskInfo();
      info.id = task.id;
      info.numActivities = task.activities.size();
      info.baseActivity = task.activities.get(0).component();
      info.topActivity = task.top().component();
      running.add(0, info);
    }
    return running;
  }

  private synchronized Object taskOf(ActivityRecord record, boolean onlyRoot) {
    boolean answers = record != null && (!onlyRoot || record.task.activities.get(0) == record);
    return answers ? record.task.id : -1;
  }

  private synchronized Object isTop(ActivityRecord record) {
    return record != null && record.task.top() == record;
  }

  private Object callingPackage(ActivityRecord record) {
    return caller(record) == null ? null : components.packageName();
  }

  private ActivityRecord record(BinderCall call) {
    return record(call.first(IBinder.class));
  }

  private static Object caller(ActivityRecord record) {
    return record == null ? null : component(record.resultTo);
  }

  private static Object component(ActivityRecord record) {
    return record == null ? null : record.component();
  }

  private static Object requestedOrientation(ActivityRecord record) {
    return record == null
        ? ActivityInfo.SCREEN_ORIENTATION_UNSPECIFIED
        : record.requestedOrientation;
  }

  private static int constant(String name) {
    return (Integer) ByType.getStatic(ActivityManager.class, name);
  }
}
