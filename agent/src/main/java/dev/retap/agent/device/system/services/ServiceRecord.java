// The activity manager's side of one service: who has started and bound it, and what it said.
package dev.retap.agent.device.system.services;

import android.app.IServiceConnection;
import android.app.Service;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ServiceInfo;
import android.os.Binder;
import android.os.IBinder;
import dev.retap.agent.device.process.OtherProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class ServiceRecord {
  /** Times that an intent is delivered before a service whose process ends on it is given up. */
  private static final int MOST_DELIVERIES = 3;

  final IBinder token = new Binder();
  final ComponentName name;
  final Map<Intent.FilterComparison, Binding> bindings = new LinkedHashMap<>();
  final ServiceInfo info;
  boolean created;
  boolean started;
  int startId;

  /** The process that it was created in; null is the main one. */
  OtherProcess process;

  /** The number of its notification while it is in the foreground, else 0. */
  int shown;

  /** Ends the app if the service does not show the notification that it was started for. */
  Runnable deadline;

  /** How often it has come back after the end of its process. */
  int restarts;

  private Intent lastIntent;
  private int deliveries;
  private boolean isDone;
  private int answer = Service.START_STICKY;

  ServiceRecord(ComponentName name, ServiceInfo info) {
    this.name = name;
    this.info = info;
  }

  boolean isNeeded() {
    return started || bindings.values().stream().anyMatch(Binding::keepsService);
  }

  /** Notes an intent that the service is started with. */
  void deliver(Intent intent) {
    deliveries = intent == lastIntent ? deliveries + 1 : 1;
    lastIntent = intent;
    isDone = false;
  }

  /** Notes what onStartCommand has answered. */
  void done(int startId, int answer) {
    if (startId == this.startId) {
      isDone = true;
      this.answer = answer;
    }
  }

  /** Returns true if a started service comes back after its process has ended. */
  boolean comesBack() {
    return isDone ? answer != Service.START_NOT_STICKY : deliveries < MOST_DELIVERIES;
  }

  /** Returns the intent that a service gets when it comes back: its last one, or none. */
  Intent intentAgain() {
    return isDone && answer != Service.START_REDELIVER_INTENT ? null : lastIntent;
  }

  static final class Binding {
    final List<Connection> connections = new ArrayList<>();
    IBinder published;
    boolean requested;

    boolean keepsService() {
      return connections.stream().anyMatch(Connection::creates);
    }
  }

  /**
   * A client of a service.
   *
   * @param creates if the service is created for it and lives as long as it
   * @param process the client's; null is the main one
   */
  record Connection(IServiceConnection client, boolean creates, OtherProcess process) {}
}
