// A back stack with a starter and a lifecycle driver, and activities declared for a test.
package dev.retap.agent.device.system.activity;

import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.ApplicationInfo;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.RuntimeEnvironment;

final class StackFixture {
  static final String PACKAGE = "org.example";

  final RecordedClient client = new RecordedClient();
  final BackStack stack = new BackStack(new ArrayList<>());
  final LifecycleDriver lifecycle =
      new LifecycleDriver(
          new DeclaredComponents(RuntimeEnvironment.getApplication()),
          intent -> intent,
          client,
          stack);
  final ActivityStarter starter = new ActivityStarter(stack, lifecycle);

  static ActivityInfo declare(String name) {
    return declare(name, ActivityInfo.LAUNCH_MULTIPLE);
  }

  static ActivityInfo declare(String name, int launchMode) {
    ActivityInfo info = new ActivityInfo();
    info.name = name;
    info.packageName = PACKAGE;
    info.taskAffinity = PACKAGE;
    info.launchMode = launchMode;
    info.applicationInfo = new ApplicationInfo();
    info.applicationInfo.targetSdkVersion = 30;
    return info;
  }

  /** Starts an activity without asking for a result; returns the topmost activity after it. */
  ActivityRecord start(ActivityRecord caller, ActivityInfo info, int... flags) {
    return start(caller, info, -1, flags);
  }

  ActivityRecord start(ActivityRecord caller, ActivityInfo info, int requestCode, int[] flags) {
    Intent intent = new Intent();
    for (int flag : flags) {
      intent.addFlags(flag);
    }
    starter.start(caller, intent, info, null, requestCode);
    return stack.top();
  }

  /** Starts an activity as the launcher does. */
  ActivityRecord launch(ActivityInfo info) {
    Intent intent =
        new Intent(Intent.ACTION_MAIN)
            .addCategory(Intent.CATEGORY_LAUNCHER)
            .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
    starter.start(null, intent, info, null, -1);
    return stack.top();
  }

  /** Brings the topmost activity to the front and returns the orders for it. */
  List<String> settle() {
    ActivityRecord top = stack.top();
    List<ActivityRecord> visible = top == null ? List.of() : List.of(top);
    lifecycle.settle(top, visible, true, false);
    lifecycle.idle(visible);
    return client.take();
  }

  /** Returns the names of all activities, back to front, tasks separated by a bar. */
  String names() {
    List<String> tasks = new ArrayList<>();
    for (Task task : stack.tasks) {
      tasks.add(
          String.join(" ", task.activities.stream().map(record -> record.info.name).toList()));
    }
    return String.join(" | ", tasks);
  }
}
