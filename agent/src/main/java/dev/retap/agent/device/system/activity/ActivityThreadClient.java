// The orders that a system server gives to an app's ActivityThread. There are two dialects: one
// method per order before API 28, transactions from then on.
package dev.retap.agent.device.system.activity;

import android.app.ActivityThread;
import java.util.List;

public interface ActivityThreadClient {
  void launch(ActivityRecord record);

  /** Resumes the activity; it first hears of the results and intents that wait for it. */
  void resume(ActivityRecord record);

  void pause(ActivityRecord record, boolean finishing, boolean userLeaving);

  void stop(ActivityRecord record);

  void destroy(ActivityRecord record, boolean finishing);

  void deliverResults(ActivityRecord record, List<Object> results);

  void deliverIntents(ActivityRecord record, List<Object> intents);

  void relaunch(ActivityRecord record, int changes);

  /** Reports a configuration change that the activity handles itself. */
  void changeConfiguration(ActivityRecord record);

  /** Reports a configuration change to the process, which hears of it before its activities. */
  void changeConfiguration();

  /** Tells the activity that its window has come to its place on the screen. */
  void enterAnimationComplete(ActivityRecord record);

  /** Tells the process that nobody sees it any more, so that it can free memory. */
  void trimMemory();

  /** Returns the client that speaks this API level's dialect. */
  static ActivityThreadClient of(ActivityThread thread, int apiLevel) {
    return apiLevel < 28 ? new ScheduleClient(thread) : new TransactionClient(thread, apiLevel);
  }
}
