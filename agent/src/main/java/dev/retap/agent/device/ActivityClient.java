// The orders a system server gives to an app's ActivityThread. Two dialects: one method per order
// before API 28, transactions from then on.
package dev.retap.agent.device;

import android.app.ActivityThread;
import java.util.List;

interface ActivityClient {
  void launch(ActivityRecord record);

  void resume(ActivityRecord record);

  void pause(ActivityRecord record, boolean finishing, boolean userLeaving);

  void stop(ActivityRecord record);

  void destroy(ActivityRecord record, boolean finishing);

  void result(ActivityRecord record, List<Object> results);

  void newIntent(ActivityRecord record, List<Object> intents);

  void relaunch(ActivityRecord record, int changes);

  /** A change the activity handles itself. */
  void configuration(ActivityRecord record);

  /** A change told to the process, before its activities. */
  void configuration();

  static ActivityClient of(ActivityThread thread, int apiLevel) {
    return apiLevel < 28 ? new ScheduledOrders(thread) : new Transactions(thread, apiLevel);
  }
}
