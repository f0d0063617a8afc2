// The activity-task server: it does what the app, the user and the rest of the phone ask of the
// back stack. It only gives orders; the framework's own ActivityThread carries them out on the
// main thread.
package dev.retap.agent.device.system.activity;

import android.app.ActivityManager;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.os.Bundle;
import android.os.IBinder;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.binder.RemoteBinder;
import dev.retap.agent.device.display.DisplayOrientation;
import dev.retap.agent.device.process.AppProcesses;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import dev.retap.agent.device.system.packages.StartRules;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;

public final class ActivityTaskServer {
  private static final int START_SUCCESS = 0;

  private final DeclaredComponents components;
  private final StartRules rules;
  private final OutsideActivities outside;
  private final BackStack stack;
  private final LifecycleDriver lifecycle;
  private final ActivityStarter starter;
  private final PhoneFront front;
  private final ActivityFinisher finisher;
  private final AppVisibility visibility = new AppVisibility();

  /** The tokens of destroyed activities, which no window can belong to any more. */
  private final Set<IBinder> destroyed =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private Consumer<Intent> startListener = intent -> {};

  public ActivityTaskServer(
      DeclaredComponents components,
      StartRules rules,
      AppProcesses processes,
      ActivityThreadClient client,
      OutsideActivities outside,
      DisplayOrientation orientation,
      List<Task> formerTasks) {
    this.components = components;
    this.rules = rules;
    this.outside = outside;
    stack = new BackStack(formerTasks);
    lifecycle = new LifecycleDriver(components, processes::pass, client, stack);
    starter = new ActivityStarter(stack, lifecycle);
    front = new PhoneFront(components, stack, outside, orientation, lifecycle, visibility);
    finisher = new ActivityFinisher(stack, lifecycle, starter, front, this);
    processes.onEnd(ended -> finisher.processEnded(ended.name()));
  }

  public void serve(BinderStub stub) {
    stub.on("startActivity", this::startCall)
        .on("startActivityAsUser", this::startCall)
        .on("startActivityAsCaller", this::startCall)
        .on("startActivities", this::startAllCall)
        .on("willActivityBeVisible", call -> visible().contains(record(call)))
        .on("activityIdle", call -> idle())
        .on("activityStopped", this::stopped)
        .on("activityDestroyed", call -> destroyed.add(call.first(IBinder.class)))
        .on("setRequestedOrientation", call -> orient(record(call), call.number(0)));
    finisher.serve(stub);
    new ActivityQuestions(components, stack, this).serve(stub);
  }

  /** Sets who sees the screen before the activity in front finishes. */
  public void setFinishListener(Runnable listener) {
    finisher.setListener(listener);
  }

  /** Sets who hears of each start that the app's process asks for, on the thread that asks. */
  public void setStartListener(Consumer<Intent> listener) {
    startListener = listener;
  }

  public AppVisibility visibility() {
    return visibility;
  }

  /** Returns the tasks, back to front. */
  public synchronized List<Task> tasks() {
    return stack.tasks;
  }

  /** Returns the app's activities that can be seen, lowest first. */
  public synchronized List<ActivityRecord> visible() {
    return front.visible();
  }

  /** Starts the app from the launcher. */
  public synchronized void launch(Intent intent) {
    outside.leave();
    start(null, intent, null, -1);
  }

  /** Shows the home screen. */
  public synchronized void goHome() {
    outside.leave();
    front.setHomeInFront(true);
    front.settle(true);
  }

  /** Swipes the app away: its tasks go and their activities are destroyed. */
  public synchronized void close() {
    stack.all().forEach(lifecycle::drop);
    goHome();
  }

  /** Returns from another app to this one with a result. */
  public synchronized void returnFromOutside(int resultCode, Intent data) {
    OutsideVisit visit = outside.leave();
    if (visit != null && visit.wantsResult()) {
      lifecycle.deliver(visit.resultTo(), visit.resultWho(), visit.requestCode(), resultCode, data);
    }
    front.settle(false);
  }

  /** Delivers a result that comes from no activity. */
  public synchronized void deliverResult(
      ActivityRecord to, String who, int request, int code, Intent data) {
    lifecycle.deliver(to, who, request, code, data);
  }

  /** Turns the display after the phone is held another way, if the app in front allows it. */
  public synchronized void orientationChanged() {
    front.settle(false);
  }

  public synchronized void configurationChanged() {
    front.settle(false, true);
  }

  /** Starts an intent; returns one of ActivityManager.START_…. */
  public synchronized int start(ActivityRecord caller, Intent intent, String who, int requestCode) {
    ActivityInfo info = components.activity(intent);
    if (info == null && isHome(intent)) {
      goHome();
      return START_SUCCESS;
    }
    boolean forwards = (intent.getFlags() & Intent.FLAG_ACTIVITY_FORWARD_RESULT) != 0;
    if (forwards && caller != null && requestCode >= 0) {
      return constant("START_FORWARD_AND_REQUEST_CONFLICT");
    }
    if (info != null) {
      front.setHomeInFront(false);
      outside.leave();
      starter.start(caller, intent, info, who, requestCode);
    } else if (!outside.visit(intent, caller, who, requestCode)) {
      return constant(
          intent.getComponent() == null ? "START_INTENT_NOT_RESOLVED" : "START_CLASS_NOT_FOUND");
    }
    front.settle((intent.getFlags() & Intent.FLAG_ACTIVITY_NO_USER_ACTION) == 0);
    return START_SUCCESS;
  }

  private static boolean isHome(Intent intent) {
    return Intent.ACTION_MAIN.equals(intent.getAction())
        && intent.hasCategory(Intent.CATEGORY_HOME)
        && intent.getComponent() == null;
  }

  /** Returns the activity with this token, or null if there is none. */
  public synchronized ActivityRecord record(IBinder token) {
    return stack.record(token);
  }

  /** Returns true for the token of an activity that lives, on the back stack or just finished. */
  public boolean isLiving(IBinder token) {
    return token instanceof RemoteBinder && !destroyed.contains(token);
  }

  private Object startCall(BinderCall call) {
    ActivityRecord caller = record(call.first(IBinder.class));
    Intent intent = call.first(Intent.class);
    BinderStub.checkSize(intent);
    rules.check(intent);
    if (!visibility.mayStartActivities() && rules.areActivitiesBlocked()) {
      return constant("START_ABORTED");
    }
    startListener.accept(intent);
    Task covered = caller == null && front.activity() != null ? front.activity().task : null;
    int result = start(caller, intent, call.last(String.class), call.number(0));
    if (covered != null && stack.top() != null && stack.top().task != covered) {
      // The app itself started the task from its own screen, so that this screen comes back.
      stack.top().task.fromHome = false;
    }
    return result;
  }

  private Object startAllCall(BinderCall call) {
    int result = START_SUCCESS;
    for (Intent intent : call.first(Intent[].class)) {
      result = start(record(call.first(IBinder.class)), intent, null, -1);
    }
    return result;
  }

  private synchronized Object stopped(BinderCall call) {
    ActivityRecord record = record(call);
    if (record != null) {
      Bundle state = call.first(Bundle.class);
      BinderStub.checkSize(state);
      record.savedState = state;
    }
    return null;
  }

  private synchronized Object idle() {
    lifecycle.idle(visible());
    return null;
  }

  private synchronized Object orient(ActivityRecord record, int request) {
    if (record != null) {
      record.requestedOrientation = request;
      front.settle(false);
    }
    return null;
  }

  private ActivityRecord record(BinderCall call) {
    return record(call.first(IBinder.class));
  }

  private static int constant(String name) {
    return (Integer) FrameworkFields.getStatic(ActivityManager.class, name);
  }
}
