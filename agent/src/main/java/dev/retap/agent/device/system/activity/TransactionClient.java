// Orders to ActivityThread in the dialect of API 28 and later: client transactions.
package dev.retap.agent.device.system.activity;

import android.app.ActivityThread;
import android.content.ComponentCallbacks2;
import android.content.res.CompatibilityInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import android.os.Binder;
import android.util.MergedConfiguration;
import dev.retap.agent.device.reflect.FrameworkCalls;
import java.util.ArrayList;
import java.util.List;

final class TransactionClient implements ActivityThreadClient {
  private static final String ITEMS = "android.app.servertransaction.";

  private final ActivityThread thread;
  private final int apiLevel;
  private int configurations;

  TransactionClient(ActivityThread thread, int apiLevel) {
    this.thread = thread;
    this.apiLevel = apiLevel;
  }

  @Override
  public void launch(ActivityRecord record) {
    List<Object> results = record.takePendingResults();
    List<Object> intents = record.takePendingIntents();
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
    send(record, List.of(launch), item("ResumeActivityItem", record));
  }

  @Override
  public void resume(ActivityRecord record) {
    List<Object> before = new ArrayList<>();
    if (!record.pendingResults.isEmpty()) {
      before.add(item("ActivityResultItem", record, record.takePendingResults()));
    }
    if (!record.pendingIntents.isEmpty()) {
      before.add(item("NewIntentItem", record, record.takePendingIntents(), apiLevel >= 29));
    }
    send(record, before, item("ResumeActivityItem", record));
  }

  @Override
  public void pause(ActivityRecord record, boolean finishing, boolean userLeaving) {
    send(record, List.of(), item("PauseActivityItem", record, finishing, userLeaving));
  }

  @Override
  public void stop(ActivityRecord record) {
    send(record, List.of(), item("StopActivityItem", record));
  }

  @Override
  public void destroy(ActivityRecord record, boolean finishing) {
    send(record, List.of(), item("DestroyActivityItem", record, finishing));
  }

  @Override
  public void deliverResults(ActivityRecord record, List<Object> results) {
    send(record, List.of(item("ActivityResultItem", record, results)), null);
  }

  @Override
  public void deliverIntents(ActivityRecord record, List<Object> intents) {
    // The flag says "resume afterwards"; at API 28 it said "pause afterwards".
    boolean resumed = record.stage == ActivityRecord.Stage.RESUMED;
    boolean flag = apiLevel >= 29 ? resumed : !resumed;
    send(record, List.of(item("NewIntentItem", record, intents, flag)), null);
  }

  @Override
  public void relaunch(ActivityRecord record, int changes) {
    Object relaunch =
        item(
            "ActivityRelaunchItem",
            record,
            changes,
            merged(),
            new ArrayList<>(),
            new ArrayList<>(),
            windowInfo());
    String then =
        switch (record.stage) {
          case RESUMED, NONE -> "ResumeActivityItem";
          case PAUSED -> "PauseActivityItem";
          case STOPPED -> "StopActivityItem";
        };
    send(record, List.of(relaunch), item(then, record));
  }

  @Override
  public void changeConfiguration(ActivityRecord record) {
    Object change = item("ActivityConfigurationChangeItem", record, current(), windowInfo());
    send(record, List.of(change), null);
  }

  @Override
  public void changeConfiguration() {
    Object change =
        FrameworkCalls.callStatic(ITEMS + "ConfigurationChangeItem", "obtain", current());
    send(null, List.of(change), null);
  }

  @Override
  public void enterAnimationComplete(ActivityRecord record) {
    FrameworkCalls.call(
        thread.getApplicationThread(), "scheduleEnterAnimationComplete", record.token);
  }

  @Override
  public void trimMemory() {
    FrameworkCalls.call(
        thread.getApplicationThread(),
        "scheduleTrimMemory",
        ComponentCallbacks2.TRIM_MEMORY_UI_HIDDEN);
  }

  private void send(ActivityRecord record, List<Object> callbacks, Object lifecycle) {
    Object transaction =
        FrameworkCalls.callStatic(
            ITEMS + "ClientTransaction",
            "obtain",
            thread.getApplicationThread(),
            record == null ? null : record.token);
    boolean takesItems = FrameworkCalls.hasMethod(transaction.getClass(), "addTransactionItem");
    for (Object callback : callbacks) {
      FrameworkCalls.call(transaction, takesItems ? "addTransactionItem" : "addCallback", callback);
    }
    if (lifecycle != null) {
      FrameworkCalls.call(
          transaction, takesItems ? "addTransactionItem" : "setLifecycleStateRequest", lifecycle);
    }
    FrameworkCalls.call(thread, "scheduleTransaction", transaction);
  }

  /** Makes an item. From API 34 on each item names its activity; before, the transaction did. */
  private Object item(String name, ActivityRecord record, Object... offered) {
    Object[] all = new Object[offered.length + 1];
    System.arraycopy(offered, 0, all, 1, offered.length);
    all[0] = record.token;
    return FrameworkCalls.callStatic(ITEMS + name, "obtain", all);
  }

  private Object windowInfo() {
    return apiLevel < 35
        ? null
        : FrameworkCalls.constructEmpty("android.window.ActivityWindowInfo");
  }

  private MergedConfiguration merged() {
    return new MergedConfiguration(current(), new Configuration());
  }

  /** Returns the configuration, numbered: ActivityThread drops what is no newer than the last. */
  private Configuration current() {
    Configuration current = new Configuration(Resources.getSystem().getConfiguration());
    current.seq = ++configurations;
    return current;
  }
}
