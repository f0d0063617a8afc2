// Orders to ActivityThread as API 23 to 27 know them: IApplicationThread.schedule….
package dev.retap.agent.device;

import android.app.ActivityThread;
import android.content.res.CompatibilityInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import java.util.ArrayList;
import java.util.List;

final class ScheduledOrders implements ActivityClient {
  private final Object thread;

  ScheduledOrders(ActivityThread thread) {
    this.thread = thread.getApplicationThread();
  }

  @Override
  public void launch(ActivityRecord record) {
    List<Object> results = new ArrayList<>(record.pendingResults);
    record.pendingResults.clear();
    List<Object> intents = new ArrayList<>(record.pendingIntents);
    record.pendingIntents.clear();
    Object state = record.savedState;
    ByType.call(
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
    ByType.call(thread, "scheduleResumeActivity", record.token);
  }

  @Override
  public void pause(ActivityRecord record, boolean finishing, boolean userLeaving) {
    ByType.call(thread, "schedulePauseActivity", record.token, finishing, userLeaving);
  }

  @Override
  public void stop(ActivityRecord record) {
    ByType.call(thread, "scheduleStopActivity", record.token, false);
  }

  @Override
  public void destroy(ActivityRecord record, boolean finishing) {
    ByType.call(thread, "scheduleDestroyActivity", record.token, finishing);
  }

  @Override
  public void result(ActivityRecord record, List<Object> results) {
    ByType.call(thread, "scheduleSendResult", record.token, results);
  }

  @Override
  public void newIntent(ActivityRecord record, List<Object> intents) {
    ByType.call(thread, "scheduleNewIntent", intents, record.token);
  }

  @Override
  public void relaunch(ActivityRecord record, int changes) {
    boolean notResumed = record.stage != ActivityRecord.Stage.RESUMED;
    ByType.call(
        thread,
        "scheduleRelaunchActivity",
        record.token,
        changes,
        notResumed,
        current(),
        new Configuration());
  }

  @Override
  public void configuration(ActivityRecord record) {
    ByType.call(
        thread, "scheduleActivityConfigurationChanged", record.token, new Configuration());
  }

  @Override
  public void configuration() {
    ByType.call(thread, "scheduleConfigurationChanged", current());
  }

  private static Configuration current() {
    return new Configuration(Resources.getSystem().getConfiguration());
  }
}
