// A back stack: activities from root to top.
package dev.retap.agent.device;

import android.content.ComponentName;
import java.util.ArrayList;
import java.util.List;

final class Task {
  final int id;
  final String affinity;
  final List<ActivityRecord> activities = new ArrayList<>();

  /** What the task was started for, which may have finished since, as a splash does. */
  ComponentName startedFor;

  /** Brought forward by home rather than by another of the app's tasks; home is what lies below. */
  boolean fromHome;

  Task(int id, String affinity) {
    this.id = id;
    this.affinity = affinity;
  }

  ActivityRecord top() {
    return activities.isEmpty() ? null : activities.get(activities.size() - 1);
  }
}
