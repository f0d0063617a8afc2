// Brings the app's activities in line with the back stack: who is paused, launched, resumed,
// stopped and destroyed, in the order a phone does it, and with which results and intents.
package dev.retap.agent.device;

import android.content.Intent;
import java.util.ArrayList;
import java.util.List;

final class ActivityOrders {
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
   * @param changes what changed about the configuration on the way, as ActivityInfo.CONFIG_…
   */
  void settle(
      ActivityRecord next, List<ActivityRecord> visible, boolean userLeaving, int changes) {
    if (resumed != null && resumed != next) {
      client.pause(resumed, resumed.finishing, userLeaving && !resumed.finishing);
      resumed.stage = ActivityRecord.Stage.PAUSED;
      resumed = null;
    }
    if (changes != 0) {
      // The process hears of a change first, then each activity once it is seen.
      client.configuration();
      for (ActivityRecord record : stack.all()) {
        record.pendingChanges |= record.stage == ActivityRecord.Stage.NONE ? 0 : changes;
      }
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

  void newIntent(ActivityRecord record, Intent intent) {
    record.intent = intent;
    if (record.stage != ActivityRecord.Stage.NONE) {
      client.newIntent(record, new ArrayList<>(List.of(components.referrerIntent(intent))));
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
