// Orders to ActivityThread as API 28 and later know them: client transactions.
package dev.retap.agent.device;

import android.app.ActivityThread;
import android.content.res.CompatibilityInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import android.os.Binder;
import android.util.MergedConfiguration;
import java.util.ArrayList;
import java.util.List;

final class Transactions implements ActivityClient {
  private static final String ITEMS = "android.app.servertransaction.";

  private final ActivityThread thread;
  private final int apiLevel;

  Transactions(ActivityThread thread, int apiLevel) {
    this.thread = thread;
    this.apiLevel = apiLevel;
  }

  @Override
  public void launch(ActivityRecord record) {
    List<Object> results = new ArrayList<>(record.pendingResults);
    record.pendingResults.clear();
    List<Object> intents = new ArrayList<>(record.pendingIntents);
    record.pendingIntents.clear();
    Object launch =
        item(
            "LaunchActivityItem",
            record,
            record.intent,
            System.identityHashCode(record),
            record.info,
            current(),
            new Configuration(),
            CompatibilityInfo.DEFAULT_COMPATIBILITY_INFO,
            record.savedState,
            results,
            intents,
            new Binder(),
            new Binder(),
            windowInfo());
    send(record, launch, item("ResumeActivityItem", record));
  }

  @Override
  public void resume(ActivityRecord record) {
    send(record, null, item("ResumeActivityItem", record));
  }

  @Override
  public void pause(ActivityRecord record, boolean finishing, boolean userLeaving) {
    send(record, null, item("PauseActivityItem", record, finishing, userLeaving));
  }

  @Override
  public void stop(ActivityRecord record) {
    send(record, null, item("StopActivityItem", record));
  }

  @Override
  public void destroy(ActivityRecord record, boolean finishing) {
    send(record, null, item("DestroyActivityItem", record, finishing));
  }

  @Override
  public void result(ActivityRecord record, List<Object> results) {
    send(record, item("ActivityResultItem", record, results), null);
  }

  @Override
  public void newIntent(ActivityRecord record, List<Object> intents) {
    send(record, item("NewIntentItem", record, intents), null);
  }

  @Override
  public void relaunch(ActivityRecord record, int changes) {
    Object relaunch =
        item("ActivityRelaunchItem", record, changes, merged(), new ArrayList<>(),
            new ArrayList<>(), windowInfo());
    String then =
        switch (record.stage) {
          case RESUMED, NONE -> "ResumeActivityItem";
          case PAUSED -> "PauseActivityItem";
          case STOPPED -> "StopActivityItem";
        };
    send(record, relaunch, item(then, record));
  }

  @Override
  public void configuration(ActivityRecord record) {
    send(
        record, item("ActivityConfigurationChangeItem", record, current(), windowInfo()), null);
  }

  @Override
  public void configuration() {
    Object change = ByType.callStatic(ITEMS + "ConfigurationChangeItem", "obtain", current());
    send(null, change, null);
  }

  private void send(ActivityRecord record, Object callback, Object lifecycle) {
    Object transaction =
        ByType.callStatic(
            ITEMS + "ClientTransaction",
            "obtain",
            thread.getApplicationThread(),
            record == null ? null : record.token);
    boolean list = ByType.has(transaction.getClass(), "addTransactionItem");
    if (callback != null) {
      ByType.call(transaction, list ? "addTransactionItem" : "addCallback", callback);
    }
    if (lifecycle != null) {
      ByType.call(
          transaction, list ? "addTransactionItem" : "setLifecycleStateRequest", lifecycle);
    }
    ByType.call(thread, "scheduleTransaction", transaction);
  }

  /** From API 34 on each item names its activity; before, the transaction did. */
  private Object item(String name, ActivityRecord record, Object... offered) {
    Object[] all = new Object[offered.length + 1];
    System.arraycopy(offered, 0, all, 1, offered.length);
    all[0] = record.token;
    return ByType.callStatic(ITEMS + name, "obtain", all);
  }

  private Object windowInfo() {
    if (apiLevel < 35) {
      return null;
    }
    try {
      return ByType.type("android.window.ActivityWindowInfo").getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("ActivityWindowInfo", e);
    }
  }

  private static MergedConfiguration merged() {
    return new MergedConfiguration(current(), new Configuration());
  }

  private static Configuration current() {
    return new Configuration(Resources.getSystem().getConfiguration());
  }
}
