// Brings the app's activities in line with the back stack: it pauses, launches, resumes, stops
// and destroys them in a phone's order, and delivers their results and intents.
package dev.retap.agent.device.system.activity;

import android.app.Activity;
import android.app.ResultInfo;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import android.os.SystemClock;
import com.android.internal.content.ReferrerIntent;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

final class LifecycleDriver {
  /** Changes that this phone's events cause. Others come only from the host's rounding. */
  private static final int REPORTED_CHANGES =
      ActivityInfo.CONFIG_ORIENTATION
          | ActivityInfo.CONFIG_SCREEN_SIZE
          | ActivityInfo.CONFIG_LOCALE
          | ActivityInfo.CONFIG_LAYOUT_DIRECTION
          | ActivityInfo.CONFIG_UI_MODE;

  private static final long IDLE_TIMEOUT_MILLIS = 10_000;

  private final DeclaredComponents components;

  /** Copies an intent if it may arrive in another process than that of its sender. */
  private final UnaryOperator<Intent> passing;

  private final ActivityThreadClient client;
  private final BackStack stack;
  private final List<ActivityRecord> finished = new ArrayList<>();
  private ActivityRecord resumed;
  private boolean isSeen;

  /** The resumed activity, until its window has come in. */
  private ActivityRecord entering;

  /** When the app has reported at the latest that it is idle after a resume. */
  private long idleBefore;

  LifecycleDriver(
      DeclaredComponents components,
      UnaryOperator<Intent> passing,
      ActivityThreadClient client,
      BackStack stack) {
    this.components = components;
    this.passing = passing;
    this.client = client;
    this.stack = stack;
  }

  /**
   * Gives the orders that bring the activities to where they should be.
   *
   * @param next the activity to resume, or null when the app is not in front
   * @param visible the activities that can be seen, lowest first
   * @param userLeaving true if the user, not the app, causes the change
   * @param changed true if the configuration changed too
   */
  void settle(
      ActivityRecord next, List<ActivityRecord> visible, boolean userLeaving, boolean changed) {
    if (resumed != null && resumed != next) {
      client.pause(resumed, resumed.finishing, userLeaving && !resumed.finishing);
      resumed.stage = ActivityRecord.Stage.PAUSED;
      resumed = null;
    }
    if (changed) {
      // The process hears of a change first, then each activity once it is visible.
      client.changeConfiguration();
    }
    if (next != null && next != resumed) {
      resume(next);
    }
    visible.forEach(this::applyChanges);
    if (next == null || !awaitsIdle()) {
      sweep(visible);
    }
    if (isSeen && visible.isEmpty()) {
      client.trimMemory();
    }
    isSeen = !visible.isEmpty();
  }

  /**
   * Stops what the resumed activity covers, and destroys what was finished, now that the app has
   * nothing else to do.
   */
  void idle(List<ActivityRecord> visible) {
    idleBefore = 0;
    if (entering != null && entering == resumed) {
      client.enterAnimationComplete(entering);
    }
    entering = null;
    sweep(visible);
  }

  /** Returns true while the app owes the report that it is idle, for as long as a phone waits. */
  private boolean awaitsIdle() {
    return SystemClock.uptimeMillis() < idleBefore;
  }

  private void sweep(List<ActivityRecord> visible) {
    for (ActivityRecord record : stack.all()) {
      if (record.stage == ActivityRecord.Stage.PAUSED && !visible.contains(record)) {
        client.stop(record);
        record.stage = ActivityRecord.Stage.STOPPED;
      }
    }
    for (ActivityRecord record : finished) {
      client.destroy(record, true);
    }
    finished.clear();
  }

  private void resume(ActivityRecord next) {
    if (next.stage == ActivityRecord.Stage.NONE) {
      client.launch(next);
      next.configuration = currentConfiguration();
    } else {
      applyChanges(next);
      client.resume(next);
    }
    next.stage = ActivityRecord.Stage.RESUMED;
    resumed = next;
    entering = next;
    idleBefore = SystemClock.uptimeMillis() + IDLE_TIMEOUT_MILLIS;
  }

  /** Reports a change to an activity that handles it, and relaunches any other activity. */
  private void applyChanges(ActivityRecord record) {
    if (record.stage == ActivityRecord.Stage.NONE) {
      return;
    }
    int changes = record.configuration.diff(currentConfiguration()) & REPORTED_CHANGES;
    record.configuration = currentConfiguration();
    if (changes == 0) {
      return;
    }
    if ((changes & ~DeclaredComponents.handledChanges(record.info)) == 0) {
      client.changeConfiguration(record);
    } else {
      client.relaunch(record, changes);
    }
  }

  private static Configuration currentConfiguration() {
    return new Configuration(Resources.getSystem().getConfiguration());
  }

  /** Delivers an intent to an activity that is already there. */
  void newIntent(ActivityRecord record, Intent intent) {
    Object passed =
        FrameworkCalls.construct(
            ReferrerIntent.class, passing.apply(intent), components.packageName());
    if (record.isShown()) {
      client.deliverIntents(record, new ArrayList<>(List.of(passed)));
    } else {
      record.pendingIntents.add(passed);
    }
  }

  /** Takes an activity off the stack and delivers its result. */
  void finish(ActivityRecord record, int resultCode, Intent data) {
    if (record.finishing) {
      return;
    }
    drop(record);
    if (record.resultTo != null && record.requestCode >= 0) {
      deliver(record.resultTo, record.resultWho, record.requestCode, resultCode, data);
    }
  }

  /** Takes an activity as gone whose process has ended. One with a saved state can come back. */
  void lose(ActivityRecord record) {
    boolean comesBack = record.savedState != null && record.stage != ActivityRecord.Stage.RESUMED;
    record.stage = ActivityRecord.Stage.NONE;
    resumed = resumed == record ? null : resumed;
    entering = entering == record ? null : entering;
    finished.remove(record);
    if (!comesBack) {
      finish(record, Activity.RESULT_CANCELED, null);
    }
  }

  /** Takes an activity off the stack without a result. */
  void drop(ActivityRecord record) {
    record.finishing = true;
    stack.remove(record);
    if (record.stage != ActivityRecord.Stage.NONE) {
      finished.add(record);
    }
  }

  /** Delivers a result now if the activity is resumed, or else when it is next. */
  void deliver(ActivityRecord to, String who, int request, int result, Intent data) {
    if (to.finishing) {
      return;
    }
    Object info =
        FrameworkCalls.construct(ResultInfo.class, who, request, result, passing.apply(data));
    if (to == resumed) {
      client.deliverResults(to, new ArrayList<>(List.of(info)));
    } else {
      to.pendingResults.add(info);
    }
  }
}
