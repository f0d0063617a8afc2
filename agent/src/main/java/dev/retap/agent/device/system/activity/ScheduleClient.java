// Orders to ActivityThread in the dialect of API 23 to 27: IApplicationThread.schedule….
package dev.retap.agent.device.system.activity;

import android.app.ActivityThread;
import android.content.ComponentCallbacks2;
import android.content.res.CompatibilityInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import dev.retap.agent.device.reflect.FrameworkCalls;
import java.util.List;

final class ScheduleClient implements ActivityThreadClient {
  private final Object thread;

  ScheduleClient(ActivityThread thread) {
    this.thread = thread.getApplicationThread();
  }

  @Override
  public void launch(ActivityRecord record) {
    List<Object> results = record.takePendingResults();
    List<Object> intents = record.takePendingIntents();
    Object state = record.savedState;
    FrameworkCalls.call(
        thread,
        "scheduleLaunchActivity",
        record.intent,
        record.token,
        System.identityHashCode(record),
        record.info,
        current(),
        new Configuration(),
        CompatibilityInfo.DEFAULT_COMPATIBILITY_INFO,
        state,
        results,
        intents);
  }

  @Override
  public void resume(ActivityRecord record) {
    if (!record.pendingResults.isEmpty()) {
      deliverResults(record, record.takePendingResults());
    }
    if (!record.pendingIntents.isEmpty()) {
      deliverIntents(record, record.takePendingIntents());
    }
    FrameworkCalls.call(thread, "scheduleResumeActivity", record.token);
  }

  @Override
  public void pause(ActivityRecord record, boolean finishing, boolean userLeaving) {
    FrameworkCalls.call(thread, "schedulePauseActivity", record.token, finishing, userLeaving);
  }

  @Override
  public void stop(ActivityRecord record) {
    FrameworkCalls.call(thread, "scheduleStopActivity", record.token, false);
  }

  @Override
  public void destroy(ActivityRecord record, boolean finishing) {
    FrameworkCalls.call(thread, "scheduleDestroyActivity", record.token, finishing);
  }

  @Override
  public void deliverResults(ActivityRecord record, List<Object> results) {
    FrameworkCalls.call(thread, "scheduleSendResult", record.token, results);
  }

  @Override
  public void deliverIntents(ActivityRecord record, List<Object> intents) {
    FrameworkCalls.call(thread, "scheduleNewIntent", intents, record.token);
  }

  @Override
  public void relaunch(ActivityRecord record, int changes) {
    boolean notResumed = record.stage != ActivityRecord.Stage.RESUMED;
    FrameworkCalls.call(
        thread,
        "scheduleRelaunchActivity",
        record.token,
        changes,
        notResumed,
        current(),
        new Configuration());
  }

  @Override
  public void changeConfiguration(ActivityRecord record) {
    FrameworkCalls.call(
        thread, "scheduleActivityConfigurationChanged", record.token, new Configuration());
  }

  @Override
  public void changeConfiguration() {
    FrameworkCalls.call(thread, "scheduleConfigurationChanged", current());
  }

  @Override
  public void enterAnimationComplete(ActivityRecord record) {
    FrameworkCalls.call(thread, "scheduleEnterAnimationComplete", record.token);
  }

  @Override
  public void trimMemory() {
    FrameworkCalls.call(thread, "scheduleTrimMemory", ComponentCallbacks2.TRIM_MEMORY_UI_HIDDEN);
  }

  private static Configuration current() {
    return new Configuration(Resources.getSystem().getConfiguration());
  }
}
