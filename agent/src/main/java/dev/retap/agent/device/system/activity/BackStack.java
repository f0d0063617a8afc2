// The tasks of the phone, back to front. It holds records and gives no orders.
package dev.retap.agent.device.system.activity;

import android.content.pm.ActivityInfo;
import android.os.IBinder;
import java.util.ArrayList;
import java.util.List;

final class BackStack {
  final List<Task> tasks;
  private int nextTask = 1;

  /** Takes over the tasks of the app's former process, whose activities no longer run. */
  BackStack(List<Task> tasks) {
    this.tasks = tasks;
    for (Task task : tasks) {
      task.activities.forEach(record -> record.stage = ActivityRecord.Stage.NONE);
      nextTask = Math.max(nextTask, task.id + 1);
    }
  }

  /** Returns the topmost activity, or null if there is none. */
  ActivityRecord top() {
    for (int i = tasks.size() - 1; i >= 0; i--) {
      ActivityRecord top = tasks.get(i).top();
      if (top != null) {
        return top;
      }
    }
    return null;
  }

  List<ActivityRecord> all() {
    List<ActivityRecord> all = new ArrayList<>();
    tasks.forEach(task -> all.addAll(task.activities));
    return all;
  }

  /** Returns the activity with this token, or null if there is none. */
  ActivityRecord record(IBinder token) {
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

  /** Returns the rearmost task of this affinity, or null if there is none. */
  Task withAffinity(String affinity) {
    for (Task task : tasks) {
      if (task.affinity.equals(affinity)) {
        return task;
      }
    }
    return null;
  }

  /** Makes a task that is not on the stack yet. */
  Task newTask(String affinity) {
    return new Task(nextTask++, affinity);
  }

  void toFront(Task task) {
    tasks.remove(task);
    tasks.add(task);
  }

  void toBack(Task task) {
    if (tasks.remove(task)) {
      tasks.add(0, task);
    }
  }

  void remove(ActivityRecord record) {
    record.task.activities.remove(record);
    if (record.task.activities.isEmpty()) {
      tasks.remove(record.task);
    }
  }

  /** Returns the activities above this one in its task, top first. */
  static List<ActivityRecord> above(ActivityRecord record) {
    List<ActivityRecord> activities = record.task.activities;
    List<ActivityRecord> above = new ArrayList<>();
    for (int i = activities.size() - 1; i > activities.indexOf(record); i--) {
      above.add(activities.get(i));
    }
    return above;
  }

  /** Returns the topmost instance of the declared activity in the task, or null. */
  static ActivityRecord find(Task task, ActivityInfo info) {
    for (int i = task.activities.size() - 1; i >= 0; i--) {
      if (task.activities.get(i).is(info)) {
        return task.activities.get(i);
      }
    }
    return null;
  }
}
