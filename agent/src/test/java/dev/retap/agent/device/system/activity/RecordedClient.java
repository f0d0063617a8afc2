// Writes down the orders that an ActivityThread would get.
package dev.retap.agent.device.system.activity;

import java.util.ArrayList;
import java.util.List;

final class RecordedClient implements ActivityThreadClient {
  private final List<String> orders = new ArrayList<>();

  /** Returns the orders since the last call. */
  List<String> take() {
    List<String> taken = new ArrayList<>(orders);
    orders.clear();
    return taken;
  }

  @Override
  public void launch(ActivityRecord record) {
    add("launch", record);
  }

  @Override
  public void resume(ActivityRecord record) {
    if (!record.pendingResults.isEmpty()) {
      deliverResults(record, record.takePendingResults());
    }
    if (!record.pendingIntents.isEmpty()) {
      deliverIntents(record, record.takePendingIntents());
    }
    add("resume", record);
  }

  @Override
  public void pause(ActivityRecord record, boolean finishing, boolean userLeaving) {
    add(finishing ? "pause finishing" : userLeaving ? "pause leaving" : "pause", record);
  }

  @Override
  public void stop(ActivityRecord record) {
    add("stop", record);
  }

  @Override
  public void destroy(ActivityRecord record, boolean finishing) {
    add("destroy", record);
  }

  @Override
  public void deliverResults(ActivityRecord record, List<Object> results) {
    add(results.size() + " results to", record);
  }

  @Override
  public void deliverIntents(ActivityRecord record, List<Object> intents) {
    add(intents.size() + " intents to", record);
  }

  @Override
  public void relaunch(ActivityRecord record, int changes) {
    add("relaunch", record);
  }

  @Override
  public void changeConfiguration(ActivityRecord record) {
    add("configuration to", record);
  }

  @Override
  public void changeConfiguration() {
    orders.add("configuration to the process");
  }

  @Override
  public void enterAnimationComplete(ActivityRecord record) {}

  @Override
  public void trimMemory() {
    orders.add("trim memory");
  }

  private void add(String order, ActivityRecord record) {
    orders.add(order + " " + record.info.name);
  }
}
