// Brings the app's activities in line with the back stack: who is paused, launched, resumed,
// stopped and destroyed, in the order a phone does it, and with which results and intents.
package dev.retap.agent.device;

import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import java.util.ArrayList;
import java.util.List;

final class ActivityOrders {
  /** What this phone's events change; all else differs only in how the host rounds. */
  private static final int SEEN_CHANGES =
      ActivityInfo.CONFIG_ORIENTATION
          | ActivityInfo.CONFIG_SCREEN_SIZE
          | ActivityInfo.CONFIG_LOCALE
          | ActivityInfo.CONFIG_LAYOUT_DIRECTION
          | ActivityInfo.CONFIG_UI_MODE;

  private final Components components;
  private final ActivityClient client;
  private final BackStack stack;
  private final List<ActivityRecord> leaving = new ArrayList<>();
  private ActivityRecord resumed;

  ActivityOrders(Components components, ActivityClient client, BackStack stack) {
    this.components = components;
    this.client = client;
    this.stack = stack;
  }

  /**
   * Gives the orders that put one activity in front, or none when the app is not in front.
   *
   * @param changed the configuration changed on the way
   */
  void settle(
      ActivityRecord next, List<ActivityRecord> visible, boolean userLeaving, boolean changed) {
    if (resumed != null && resumed != next) {
      client.pause(resumed, resumed.finishing, userLeaving && !resumed.finishing);
      resumed.stage = ActivityRecord.Stage.PAUSED;
      resumed = null;
    }
    if (changed) {
      // The process hears of a change first, then each activity once it is seen.
      client.configuration();
    }
    if (next != null && next != resumed) {
      resume(next);
    }
    visible.forEach(this::applyChanges);
    for (ActivityRecord record : stack.all()) {
      if (record.stage == ActivityRecord.Stage.PAUSED && !visible.contains(record)) {
        client.stop(record);
        record.stage = ActivityRecord.Stage.STOPPED;
      }
    }
    for (ActivityRecord record : leaving) {
      client.destroy(record, true);
    }
    leaving.clear();
  }

  private void resume(ActivityRecord next) {
    if (next.stage == ActivityRecord.Stage.NONE) {
      client.launch(next);
      next.told = now();
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

  /** An activity learns of a change by a callback if it asked for one, else it is made anew. */
  private void applyChanges(ActivityRecord record) {
    if (record.stage == ActivityRecord.Stage.NONE) {
      return;
    }
    int changes = record.told.diff(now()) & SEEN_CHANGES;
    record.told = now();
    if (changes == 0) {
      return;
    }
    if ((changes & ~components.handledChanges(record.info)) == 0) {
      client.configuration(record);
    } else {
      client.relaunch(record, changes);
    }
  }

  private static Configuration now() {
    return new Configuration(Resources.getSystem().getConfiguration());
  }

  void newIntent(ActivityRecord record, Intent intent) {
    Object passed = components.referrerIntent(intent);
    if (record.stage == ActivityRecord.Stage.NONE) {
      record.pendingIntents.add(passed);
    } else {
      client.newIntent(record, new ArrayList<>(List.of(passed)));
    }
  }

  void finish(ActivityRecord record, int resultCode, Intent data) {
    if (record.finishing) {
      return;
    }
    drop(record);
    if (record.resultTo != null && record.requestCode >= 0) {
      deliver(record.resultTo, record.resultWho, record.requestCode, resultCode, data);
    }
  }

  /** Takes an activity off the stack; who waits for its result hears nothing. */
  void drop(ActivityRecord record) {
    record.finishing = true;
    stack.remove(record);
    if (record.stage != ActivityRecord.Stage.NONE) {
      leaving.add(record);
    }
  }

  void deliver(ActivityRecord to, String who, int request, int result, Intent data) {
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
}
