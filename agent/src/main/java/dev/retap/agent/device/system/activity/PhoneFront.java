// What is in front on the phone: the home screen, another app, or activities of this app. It gives
// the orders that follow from a change. Its callers hold the lock of the back stack.
package dev.retap.agent.device.system.activity;

import dev.retap.agent.device.display.DisplayOrientation;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import java.util.ArrayList;
import java.util.List;

final class PhoneFront {
  private final DeclaredComponents components;
  private final BackStack stack;
  private final OutsideActivities outside;
  private final DisplayOrientation orientation;
  private final LifecycleDriver lifecycle;
  private final AppVisibility visibility;
  private boolean isHomeInFront;

  PhoneFront(
      DeclaredComponents components,
      BackStack stack,
      OutsideActivities outside,
      DisplayOrientation orientation,
      LifecycleDriver lifecycle,
      AppVisibility visibility) {
    this.components = components;
    this.stack = stack;
    this.outside = outside;
    this.orientation = orientation;
    this.lifecycle = lifecycle;
    this.visibility = visibility;
  }

  void setHomeInFront(boolean isHomeInFront) {
    this.isHomeInFront = isHomeInFront;
  }

  /** Shows the home screen, not the app's next task, after a task's last activity. */
  void showHomeIfEnded(Task task) {
    if (task.activities.isEmpty() && task.fromHome) {
      isHomeInFront = true;
    }
  }

  /** Returns the app's activity in front, or null when home or another app is in front. */
  ActivityRecord activity() {
    return isHomeInFront || outside.current() != null ? null : stack.top();
  }

  /** Returns the app's activities that can be seen, lowest first. */
  List<ActivityRecord> visible() {
    List<ActivityRecord> visible = new ArrayList<>();
    if (isHomeInFront
        || stack.top() == null
        || outside.current() != null && !outside.current().isOverlay()) {
      return visible;
    }
    for (int t = stack.tasks.size() - 1; t >= 0; t--) {
      List<ActivityRecord> activities = stack.tasks.get(t).activities;
      for (int i = activities.size() - 1; i >= 0; i--) {
        visible.add(0, activities.get(i));
        if (!components.isTranslucent(activities.get(i).info)) {
          return visible;
        }
      }
      if (stack.tasks.get(t).fromHome) {
        // The home screen lies below it, not the next task.
        return visible;
      }
    }
    return visible;
  }

  /**
   * Gives the orders that follow from a change of the back stack.
   *
   * @param userLeaving true if the user, not the app, causes the change
   */
  void settle(boolean userLeaving) {
    settle(userLeaving, false);
  }

  void settle(boolean userLeaving, boolean configurationChanged) {
    if (stack.top() == null) {
      isHomeInFront = true;
    }
    List<ActivityRecord> visible = visible();
    visibility.setSeen(!visible.isEmpty() || outside.current() != null);
    List<Integer> requests = visible.stream().map(record -> record.requestedOrientation).toList();
    lifecycle.settle(
        activity(), visible, userLeaving, orientation.follow(requests) || configurationChanged);
  }
}
