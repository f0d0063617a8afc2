// A task: activities from root to top.
package dev.retap.agent.device.system.activity;

import android.content.ComponentName;
import java.util.ArrayList;
import java.util.List;

public final class Task {
  final int id;
  final String affinity;
  public final List<ActivityRecord> activities = new ArrayList<>();

  /** The activity that the task was started for. It may have finished since, as a splash does. */
  ComponentName startedFor;

  /** True if the home screen lies below this task, not another task of the app. */
  boolean fromHome;

  Task(int id, String affinity) {
    this.id = id;
    this.affinity = affinity;
  }

  ActivityRecord top() {
    return activities.isEmpty() ? null : activities.get(activities.size() - 1);
  }
}
