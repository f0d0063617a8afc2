// Gives each order to the ActivityThread of the process that runs the activity. Orders to the app
// as a whole go to all of its processes.
package dev.retap.agent.device.system.activity;

import android.app.ActivityThread;
import dev.retap.agent.device.process.AppProcesses;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class ProcessClients implements ActivityThreadClient {
  private final AppProcesses processes;
  private final int apiLevel;
  private final Map<ActivityThread, ActivityThreadClient> clients = new LinkedHashMap<>();

  private ProcessClients(AppProcesses processes, int apiLevel) {
    this.processes = processes;
    this.apiLevel = apiLevel;
    client(processes.thread(null));
    processes.onStart(started -> client(processes.thread(started)));
    processes.onEnd(ended -> clients.remove(processes.thread(ended)));
  }

  /** Returns a client for the app, which needs no more than one if the app has one process. */
  public static ActivityThreadClient of(AppProcesses processes, int apiLevel) {
    return processes.areDeclared()
        ? new ProcessClients(processes, apiLevel)
        : ActivityThreadClient.of(processes.thread(null), apiLevel);
  }

  private ActivityThreadClient client(ActivityThread thread) {
    return clients.computeIfAbsent(thread, it -> ActivityThreadClient.of(it, apiLevel));
  }

  private ActivityThreadClient client(ActivityRecord record) {
    return client(processes.thread(processes.of(record.info)));
  }

  private List<ActivityThreadClient> all() {
    return new ArrayList<>(clients.values());
  }

  @Override
  public void launch(ActivityRecord record) {
    if (processes.of(record.info) != null) {
      record.detachState();
    }
    client(record).launch(record);
  }

  @Override
  public void resume(ActivityRecord record) {
    client(record).resume(record);
  }

  @Override
  public void pause(ActivityRecord record, boolean finishing, boolean userLeaving) {
    client(record).pause(record, finishing, userLeaving);
  }

  @Override
  public void stop(ActivityRecord record) {
    client(record).stop(record);
  }

  @Override
  public void destroy(ActivityRecord record, boolean finishing) {
    client(record).destroy(record, finishing);
  }

  @Override
  public void deliverResults(ActivityRecord record, List<Object> results) {
    client(record).deliverResults(record, results);
  }

  @Override
  public void deliverIntents(ActivityRecord record, List<Object> intents) {
    client(record).deliverIntents(record, intents);
  }

  @Override
  public void relaunch(ActivityRecord record, int changes) {
    client(record).relaunch(record, changes);
  }

  @Override
  public void changeConfiguration(ActivityRecord record) {
    client(record).changeConfiguration(record);
  }

  @Override
  public void changeConfiguration() {
    all().forEach(ActivityThreadClient::changeConfiguration);
  }

  @Override
  public void enterAnimationComplete(ActivityRecord record) {
    client(record).enterAnimationComplete(record);
  }

  @Override
  public void trimMemory() {
    all().forEach(ActivityThreadClient::trimMemory);
  }
}
