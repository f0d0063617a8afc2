// The activity-task server: tasks, launch modes, results, who is resumed. It only gives orders;
// the framework's own ActivityThread carries them out on the app's main thread.
package dev.retap.agent.device;

import android.app.ActivityManager;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.os.IBinder;
import java.util.ArrayList;
import java.util.List;

final class ActivityTasks {
  private static final int START_SUCCESS = 0;

  private final Components components;
  private final ActivityClient client;
  private final OutsideWorld outsideWorld;
  private final List<Task> tasks;
  private final List<ActivityRecord> leaving = new ArrayList<>();
  private ActivityRecord resumed;
  private boolean home;
  private int nextTask = 1;

  /** A process that starts again after its death takes over the tasks it had. */
  ActivityTasks(
      Components components, ActivityClient client, OutsideWorld outsideWorld, List<Task> tasks) {
    this.components = components;
    this.client = client;
    this.outsideWorld = outsideWorld;
    this.tasks = tasks;
    for (Task task : tasks) {
      task.activities.forEach(record -> record.stage = ActivityRecord.Stage.NONE);
      nextTask = Math.max(nextTask, task.id + 1);
    }
  }

  void serve(BinderStub stub) {
    stub.on("startActivity", this::startCall)
        .on("startActivityAsUser", this::startCall)
        .on("startActivityAsCaller", this::startCall)
        .on("startActivities", this::startAllCall)
        .on("finishActivity", call -> finishCall(call))
        .on("finishActivityAffinity", call -> finishAffinity(record(call)))
        .on("finishSubActivity", call -> finishSub(record(call), call.number(0)))
        .on("onBackPressed", call -> backPressed(record(call)))
        .on("onBackPressedOnTaskRoot", call -> backPressed(record(call)))
        .on("moveActivityTaskToBack", call -> toBack(record(call)))
        .on("navigateUpTo", call -> navigateUp(call))
        .on("shouldUpRecreateTask", call -> false)
        .on("willActivityBeVisible", call -> record(call) == top())
        .on("activityStopped", call -> stopped(call))
        .on("activityDestroyed", call -> destroyed(record(call)))
        .on("getTaskForActivity", call -> taskOf(record(call), call.flag(0)))
        .on("isTopOfTask", call -> isTop(record(call)))
        .on("getCallingActivity", call -> caller(record(call)))
        .on("getCallingPackage", call -> callingPackage(record(call)))
        .on("getLaunchedFromPackage", call -> components.packageName())
        .on("getRequestedOrientation", call -> orientation(record(call)))
        .on("setRequestedOrientation", call -> setOrientation(record(call), call.number(0)))
        .on("getActivityClassForToken", call -> component(record(call)))
        .on("getPackageForToken", call -> components.packageName());
  }

  synchronized List<Task> tasks() {
    return tasks;
  }

  synchronized ActivityRecord top() {
    for (int i = tasks.size() - 1; i >= 0; i--) {
      ActivityRecord top = tasks.get(i).top();
      if (top != null) {
        return top;
      }
    }
    return null;
  }

  /** The activity in front, or null when home or another app is. */
  synchronized ActivityRecord front() {
    return home || outsideWorld.current() != null ? null : top();
  }

  /** All records an app window can belong to, for looking windows up. */
  synchronized List<ActivityRecord> visible() {
    List<ActivityRecord> visible = new ArrayList<>();
    if (front() == null) {
      return visible;
    }
    List<ActivityRecord> activities = front().task.activities;
    for (int i = activities.size() - 1; i >= 0; i--) {
      visible.add(0, activities.get(i));
      if (!components.isTranslucent(activities.get(i).info)) {
        break;
      }
    }
    return visible;
  }

  synchronized void launcher(Intent intent) {
    home = false;
    outsideWorld.cancel();
    start(null, intent, null, -1);
  }

  synchronized void goHome() {
    outsideWorld.cancel();
    home = true;
    settle(true);
  }

  /** Swipes the app away: its tasks go, their activities are destroyed. */
  synchronized void close() {
    for (Task task : new ArrayList<>(tasks)) {
      new ArrayList<>(task.activities).forEach(this::drop);
    }
    goHome();
  }

  /** Back, or a choice made, on a stand-in of the outside world. */
  synchronized void outsideDone(int resultCode, Intent data) {
    OutsideWorld.Visit visit = outsideWorld.leave();
    if (visit != null && visit.resultTo() != null && visit.requestCode() >= 0) {
      deliver(visit.resultTo(), visit.resultWho(), visit.requestCode(), resultCode, data);
    }
    if (top() == null) {
      home = true;
    }
    settle(false);
  }

  synchronized void configurationChanged(int changes) {
    client.configuration();
    List<ActivityRecord> visible = visible();
    for (Task task : tasks) {
      for (ActivityRecord record : task.activities) {
        record.pendingChanges |= record.stage == ActivityRecord.Stage.NONE ? 0 : changes;
        if (visible.contains(record)) {
          applyChanges(record);
        }
      }
    }
  }

  /** An activity learns of a change when it is seen: by a callback if it asked, else made anew. */
  private void applyChanges(ActivityRecord record) {
    int changes = record.pendingChanges;
    record.pendingChanges = 0;
    if (changes == 0) {
      return;
    }
    if ((changes & ~components.handledChanges(record.info)) == 0) {
      client.configuration(record);
    } else {
      client.relaunch(record, changes);
    }
  }

  /** Starts an intent; the answer is one of ActivityManager.START_…. */
  synchronized int start(ActivityRecord caller, Intent intent, String who, int requestCode) {
    ActivityInfo info = components.activity(intent);
    if (info == null) {
      if (!outsideWorld.takes(intent)) {
        return constant(
            intent.getComponent() == null ? "START_INTENT_NOT_RESOLVED" : "START_CLASS_NOT_FOUND");
      }
      outsideWorld.visit(intent, caller, who, requestCode);
      settle(true);
      return START_SUCCESS;
    }
    int flags = intent.getFlags();
    boolean newTask =
        caller == null
            || (flags & Intent.FLAG_ACTIVITY_NEW_TASK) != 0
            || info.launchMode == ActivityInfo.LAUNCH_SINGLE_TASK
            || info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE
            || caller.info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE;
    if (newTask && requestCode >= 0 && caller != null) {
      deliver(caller, who, requestCode, android.app.Activity.RESULT_CANCELED, null);
      requestCode = -1;
    }
    ActivityRecord resultTo = requestCode >= 0 ? caller : null;
    if ((flags & Intent.FLAG_ACTIVITY_FORWARD_RESULT) != 0 && caller != null) {
      resultTo = caller.resultTo;
      who = caller.resultWho;
      requestCode = caller.requestCode;
    }
    Task task = newTask ? taskFor(info, flags) : caller.task;
    boolean existed = !task.activities.isEmpty();
    tasks.remove(task);
    tasks.add(task);
    home = false;
    Intent started = new Intent(intent);
    started.setComponent(new ComponentName(info.packageName, info.name));
    if ((flags & Intent.FLAG_ACTIVITY_CLEAR_TASK) != 0) {
      new ArrayList<>(task.activities).forEach(this::drop);
    } else if (existed && newTask && isLauncherOf(task, started)) {
      settle(true);
      return START_SUCCESS;
    }
    if (!reuse(task, info, started, flags)) {
      ActivityRecord record = new ActivityRecord(started, info, resultTo, who, requestCode);
      record.task = task;
      task.activities.add(record);
    }
    settle((flags & Intent.FLAG_ACTIVITY_NO_USER_ACTION) == 0);
    return START_SUCCESS;
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
      finish(record, call.number(0), call.first(Intent.class));
      settle(false);
    }
    return true;
  }

  private synchronized Object finishAffinity(ActivityRecord record) {
    if (record != null) {
      List<ActivityRecord> activities = new ArrayList<>(record.task.activities);
      for (int i = activities.indexOf(record); i >= 0; i--) {
        finish(activities.get(i), android.app.Activity.RESULT_CANCELED, null);
      }
      settle(false);
    }
    return true;
  }

  private synchronized Object finishSub(ActivityRecord parent, int requestCode) {
    for (Task task : tasks) {
      for (ActivityRecord record : new ArrayList<>(task.activities)) {
        if (record.resultTo == parent && record.requestCode == requestCode) {
          finish(record, android.app.Activity.RESULT_CANCELED, null);
        }
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
        finish(record, android.app.Activity.RESULT_CANCELED, null);
        settle(false);
      }
    }
    return null;
  }

  private synchronized Object toBack(ActivityRecord record) {
    if (record != null && tasks.remove(record.task)) {
      tasks.add(0, record.task);
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
      if (activities.get(i).intent.getComponent().equals(up.getComponent())) {
        ActivityRecord parent = activities.get(i);
        for (ActivityRecord above : new ArrayList<>(activities.subList(i + 1, activities.size()))) {
          finish(above, call.number(0), call.nth(Intent.class, 1));
        }
        boolean keeps =
            parent.info.launchMode != ActivityInfo.LAUNCH_MULTIPLE
                || (up.getFlags() & Intent.FLAG_ACTIVITY_CLEAR_TOP) != 0;
        if (keeps) {
          newIntent(parent, up);
        } else {
          finish(parent, android.app.Activity.RESULT_CANCELED, null);
          start(null, up, null, -1);
        }
        settle(false);
        return true;
      }
    }
    finish(record, call.number(0), call.nth(Intent.class, 1));
    settle(false);
    return false;
  }

  private synchronized Object stopped(BinderCall call) {
    ActivityRecord record = record(call);
    if (record != null) {
      record.savedState = call.first(android.os.Bundle.class);
    }
    return null;
  }

  private synchronized Object destroyed(ActivityRecord record) {
    leaving.remove(record);
    return null;
  }

  private void finish(ActivityRecord record, int resultCode, Intent data) {
    if (record.finishing) {
      return;
    }
    drop(record);
    if (record.resultTo != null && record.requestCode >= 0) {
      deliver(record.resultTo, record.resultWho, record.requestCode, resultCode, data);
    }
  }

  private void drop(ActivityRecord record) {
    record.finishing = true;
    record.task.activities.remove(record);
    if (record.task.activities.isEmpty()) {
      tasks.remove(record.task);
      if (resumed == record && tasks.isEmpty()) {
        home = true;
      }
    }
    if (record.stage != ActivityRecord.Stage.NONE) {
      leaving.add(record);
    }
    if (tasks.isEmpty()) {
      home = true;
    }
  }

  private void deliver(ActivityRecord to, String who, int request, int result, Intent data) {
    if (to.finishing) {
      return;
    }
    Object info = components.resultInfo(who, request, result, data);
    if (to == resumed) {
      client.result(to, new ArrayList<>(List.of(info)));
    } else {
      to.pendingResults.add(info);
    }
  }

  /** Gives the orders that make the app's activities match the tasks. */
  private void settle(boolean userLeaving) {
    ActivityRecord next = front();
    if (resumed != null && resumed != next) {
      client.pause(resumed, resumed.finishing, userLeaving && !resumed.finishing);
      resumed.stage = ActivityRecord.Stage.PAUSED;
      resumed = null;
    }
    if (next != null && next != resumed) {
      if (next.stage == ActivityRecord.Stage.NONE) {
        client.launch(next);
      } else {
        applyChanges(next);
        if (!next.pendingResults.isEmpty()) {
          client.result(next, new ArrayList<>(next.pendingResults));
          next.pendingResults.clear();
        }
        client.resume(next);
      }
      next.stage = ActivityRecord.Stage.RESUMED;
      resumed = next;
    }
    List<ActivityRecord> visible = visible();
    for (Task task : tasks) {
      for (ActivityRecord record : task.activities) {
        if (record.stage == ActivityRecord.Stage.PAUSED && !visible.contains(record)) {
          client.stop(record);
          record.stage = ActivityRecord.Stage.STOPPED;
        }
      }
    }
    for (ActivityRecord record : new ArrayList<>(leaving)) {
      leaving.remove(record);
      client.destroy(record, true);
    }
  }

  private boolean reuse(Task task, ActivityInfo info, Intent intent, int flags) {
    ActivityRecord top = task.top();
    boolean single = info.launchMode != ActivityInfo.LAUNCH_MULTIPLE;
    if (top != null
        && same(top, info)
        && (single || (flags & Intent.FLAG_ACTIVITY_SINGLE_TOP) != 0)) {
      newIntent(top, intent);
      return true;
    }
    ActivityRecord existing = find(task, info);
    if (existing == null) {
      return false;
    }
    if ((flags & Intent.FLAG_ACTIVITY_CLEAR_TOP) != 0
        || info.launchMode == ActivityInfo.LAUNCH_SINGLE_TASK
        || info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE) {
      List<ActivityRecord> activities = task.activities;
      for (ActivityRecord above :
          new ArrayList<>(activities.subList(activities.indexOf(existing) + 1, activities.size()))) {
        finish(above, android.app.Activity.RESULT_CANCELED, null);
      }
      if (single || (flags & Intent.FLAG_ACTIVITY_SINGLE_TOP) != 0) {
        newIntent(existing, intent);
        return true;
      }
      finish(existing, android.app.Activity.RESULT_CANCELED, null);
      tasks.remove(task);
      tasks.add(task);
      home = false;
      return false;
    }
    if ((flags & Intent.FLAG_ACTIVITY_REORDER_TO_FRONT) != 0) {
      task.activities.remove(existing);
      task.activities.add(existing);
      newIntent(existing, intent);
      return true;
    }
    return false;
  }

  private void newIntent(ActivityRecord record, Intent intent) {
    record.intent = intent;
    if (record.stage != ActivityRecord.Stage.NONE) {
      client.newIntent(
          record, new ArrayList<>(List.of(components.referrerIntent(intent))));
    }
  }

  private Task taskFor(ActivityInfo info, int flags) {
    boolean alone = info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE;
    boolean fresh =
        (flags & (Intent.FLAG_ACTIVITY_MULTIPLE_TASK | Intent.FLAG_ACTIVITY_NEW_DOCUMENT)) != 0;
    String affinity = alone ? info.name : String.valueOf(info.taskAffinity);
    if (!fresh) {
      for (Task task : tasks) {
        if (task.affinity.equals(affinity)) {
          return task;
        }
      }
    }
    return new Task(nextTask++, affinity);
  }

  private boolean isLauncherOf(Task task, Intent intent) {
    return components.isLauncher(intent)
        && task.activities.get(0).intent.getComponent().equals(intent.getComponent());
  }

  private static boolean same(ActivityRecord record, ActivityInfo info) {
    return record.info.name.equals(info.name);
  }

  private static ActivityRecord find(Task task, ActivityInfo info) {
    for (int i = task.activities.size() - 1; i >= 0; i--) {
      if (same(task.activities.get(i), info)) {
        return task.activities.get(i);
      }
    }
    return null;
  }

  private ActivityRecord record(BinderCall call) {
    return record(call.first(IBinder.class));
  }

  synchronized ActivityRecord record(IBinder token) {
    if (token == null) {
      return null;
    }
    for (Task task : tasks) {
      for (ActivityRecord record : task.activities) {
        if (record.token == token) {
          return record;
        }
      }
    }
    return null;
  }

  private synchronized Object taskOf(ActivityRecord record, boolean onlyRoot) {
    boolean answers =
        record != null && (!onlyRoot || record.task.activities.get(0) == record);
    return answers ? record.task.id : -1;
  }

  private synchronized Object isTop(ActivityRecord record) {
    return record != null && record.task.top() == record;
  }

  private static Object caller(ActivityRecord record) {
    return record == null || record.resultTo == null ? null : component(record.resultTo);
  }

  private Object callingPackage(ActivityRecord record) {
    return caller(record) == null ? null : components.packageName();
  }

  private static Object orientation(ActivityRecord record) {
    return record == null ? ActivityInfo.SCREEN_ORIENTATION_UNSPECIFIED
        : record.requestedOrientation;
  }

  private static Object setOrientation(ActivityRecord record, int orientation) {
    if (record != null) {
      record.requestedOrientation = orientation;
    }
    return null;
  }

  private static ComponentName component(ActivityRecord record) {
    return record == null ? null : new ComponentName(record.info.packageName, record.info.name);
  }

  private static int constant(String name) {
    return (Integer) ByType.getStatic(ActivityManager.class, name);
  }
}
