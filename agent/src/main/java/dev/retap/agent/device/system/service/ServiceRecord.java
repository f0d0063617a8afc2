// A service of the app that lives or is wanted: who started it and who is bound to it.
package dev.retap.agent.device.system.service;

import android.app.IServiceConnection;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ServiceInfo;
import android.os.Binder;
import android.os.IBinder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class ServiceRecord {
  final IBinder token = new Binder();
  final ComponentName name;
  final Map<Intent.FilterComparison, Binding> bindings = new LinkedHashMap<>();
  final ServiceInfo info;
  boolean created;
  boolean started;
  int startId;

  /** The number of its notification while it is in the foreground, else 0. */
  int shown;

  /** Ends the app if the service does not show the notification that it was started for. */
  Runnable deadline;

  ServiceRecord(ComponentName name, ServiceInfo info) {
    this.name = name;
    this.info = info;
  }

  boolean isNeeded() {
    return started || bindings.values().stream().anyMatch(Binding::keepsService);
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
   */
  record Connection(IServiceConnection client, boolean creates) {}
}
