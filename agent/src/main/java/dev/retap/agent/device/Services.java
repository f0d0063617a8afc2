// The part of the activity manager that keeps services: started, bound, stopped.
package dev.retap.agent.device;

import android.app.IServiceConnection;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ServiceInfo;
import android.content.res.CompatibilityInfo;
import android.os.Binder;
import android.os.IBinder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class Services {
  private static final class Record {
    final IBinder token = new Binder();
    final ComponentName name;
    final Map<Intent.FilterComparison, Binding> bindings = new LinkedHashMap<>();
    boolean started;
    int startId;

    Record(ComponentName name) {
      this.name = name;
    }

    boolean wanted() {
      return started || bindings.values().stream().anyMatch(b -> !b.connections.isEmpty());
    }
  }

  private static final class Binding {
    final List<IServiceConnection> connections = new ArrayList<>();
    IBinder published;
    boolean requested;
  }

  private final Components components;
  private final Object thread;
  private final int apiLevel;
  private final Map<ComponentName, Record> records = new LinkedHashMap<>();

  Services(Components components, Object applicationThread, int apiLevel) {
    this.components = components;
    this.thread = applicationThread;
    this.apiLevel = apiLevel;
  }

  void serve(BinderStub stub) {
    stub.on("startService", call -> start(call.first(Intent.class)))
        .on("stopService", call -> stop(record(call.first(Intent.class))) ? 1 : 0)
        .on("stopServiceToken", this::stopToken)
        .on("bindService", this::bind)
        .on("bindServiceInstance", this::bind)
        .on("bindIsolatedService", this::bind)
        .on("publishService", this::publish)
        .on("unbindService", call -> unbind(call.first(IServiceConnection.class)));
  }

  synchronized ComponentName start(Intent intent) {
    Record record = create(intent);
    if (record == null) {
      return null;
    }
    record.started = true;
    record.startId++;
    if (apiLevel < 26) {
      ByType.call(thread, "scheduleServiceArgs", record.token, false, record.startId, 0, intent);
    } else {
      Object args =
          ByType.construct(
              ByType.type("android.app.ServiceStartArgs"), false, record.startId, 0, intent);
      ByType.call(thread, "scheduleServiceArgs", record.token, BinderStub.slice(List.of(args)));
    }
    return record.name;
  }

  private Object bind(BinderCall call) {
    return bind(call.first(Intent.class), call.first(IServiceConnection.class)) ? 1 : 0;
  }

  synchronized boolean bind(Intent intent, IServiceConnection connection) {
    Record record = create(intent);
    if (record == null) {
      return false;
    }
    Binding binding =
        record.bindings.computeIfAbsent(new Intent.FilterComparison(intent), k -> new Binding());
    binding.connections.add(connection);
    if (binding.published != null) {
      connect(connection, record, binding.published);
    } else if (!binding.requested) {
      binding.requested = true;
      ByType.call(thread, "scheduleBindService", record.token, intent, false);
    }
    return true;
  }

  private synchronized Object publish(BinderCall call) {
    Record record = record(call.first(IBinder.class));
    if (record != null) {
      Binding binding =
          record.bindings.get(new Intent.FilterComparison(call.first(Intent.class)));
      binding.published = call.nth(IBinder.class, 1);
      if (binding.published != null) {
        binding.connections.forEach(c -> connect(c, record, binding.published));
      }
    }
    return null;
  }

  synchronized boolean unbind(IServiceConnection connection) {
    for (Record record : new ArrayList<>(records.values())) {
      record.bindings.forEach(
          (intent, binding) -> {
            boolean had = binding.connections.removeIf(c -> c.asBinder() == connection.asBinder());
            if (had && binding.connections.isEmpty()) {
              ByType.call(thread, "scheduleUnbindService", record.token, intent.getIntent());
              binding.requested = false;
              binding.published = null;
            }
          });
      end(record);
    }
    return true;
  }

  private synchronized Object stopToken(BinderCall call) {
    Record record = record(call.first(IBinder.class));
    int startId = call.number(0);
    if (record == null || startId >= 0 && startId != record.startId) {
      return false;
    }
    return stop(record);
  }

  private synchronized boolean stop(Record record) {
    if (record == null) {
      return false;
    }
    record.started = false;
    end(record);
    return true;
  }

  private void end(Record record) {
    if (!record.wanted()) {
      records.remove(record.name);
      ByType.call(thread, "scheduleStopService", record.token);
    }
  }

  private Record create(Intent intent) {
    ServiceInfo info = components.service(intent);
    if (info == null || !info.packageName.equals(components.packageName())) {
      return null;
    }
    ComponentName name = new ComponentName(info.packageName, info.name);
    Record record = records.get(name);
    if (record == null) {
      record = new Record(name);
      records.put(name, record);
      ByType.call(
          thread,
          "scheduleCreateService",
          record.token,
          info,
          CompatibilityInfo.DEFAULT_COMPATIBILITY_INFO);
    }
    return record;
  }

  private Record record(Intent intent) {
    ServiceInfo info = components.service(intent);
    return info == null ? null : records.get(new ComponentName(info.packageName, info.name));
  }

  private Record record(IBinder token) {
    return records.values().stream().filter(r -> r.token == token).findFirst().orElse(null);
  }

  private static void connect(IServiceConnection connection, Record record, IBinder service) {
    ByType.call(connection, "connected", record.name, service);
  }
}
