// The part of the activity manager that keeps services: started, bound, stopped.
package dev.retap.agent.device.system.service;

import android.app.IServiceConnection;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ServiceInfo;
import android.content.res.CompatibilityInfo;
import android.os.Binder;
import android.os.IBinder;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class Services {
  private static final class ServiceRecord {
    final IBinder token = new Binder();
    final ComponentName name;
    final Map<Intent.FilterComparison, Binding> bindings = new LinkedHashMap<>();
    boolean started;
    int startId;

    ServiceRecord(ComponentName name) {
      this.name = name;
    }

    boolean isNeeded() {
      return started || bindings.values().stream().anyMatch(b -> !b.connections.isEmpty());
    }
  }

  private static final class Binding {
    final List<IServiceConnection> connections = new ArrayList<>();
    IBinder published;
    boolean requested;
  }

  private final DeclaredComponents components;
  private final Object thread;
  private final int apiLevel;
  private final Map<ComponentName, ServiceRecord> records = new LinkedHashMap<>();

  public Services(DeclaredComponents components, Object applicationThread, int apiLevel) {
    this.components = components;
    this.thread = applicationThread;
    this.apiLevel = apiLevel;
  }

  public void serve(BinderStub stub) {
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
    ServiceRecord record = create(intent);
    if (record == null) {
      return null;
    }
    record.started = true;
    record.startId++;
    if (apiLevel < 26) {
      FrameworkCalls.call(
          thread, "scheduleServiceArgs", record.token, false, record.startId, 0, intent);
    } else {
      Object args =
          FrameworkCalls.construct(
              FrameworkCalls.type("android.app.ServiceStartArgs"),
              false,
              record.startId,
              0,
              intent);
      FrameworkCalls.call(
          thread, "scheduleServiceArgs", record.token, BinderStub.slice(List.of(args)));
    }
    return record.name;
  }

  private Object bind(BinderCall call) {
    return bind(call.first(Intent.class), call.first(IServiceConnection.class)) ? 1 : 0;
  }

  synchronized boolean bind(Intent intent, IServiceConnection connection) {
    ServiceRecord record = create(intent);
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
      FrameworkCalls.call(thread, "scheduleBindService", record.token, intent, false);
    }
    return true;
  }

  private synchronized Object publish(BinderCall call) {
    ServiceRecord record = record(call.first(IBinder.class));
    if (record != null) {
      Binding binding = record.bindings.get(new Intent.FilterComparison(call.first(Intent.class)));
      if (binding == null) {
        // The last connection was unbound before the service answered.
        return null;
      }
      binding.published = call.nth(IBinder.class, 1);
      if (binding.published != null) {
        binding.connections.forEach(c -> connect(c, record, binding.published));
      }
    }
    return null;
  }

  synchronized boolean unbind(IServiceConnection connection) {
    for (ServiceRecord record : new ArrayList<>(records.values())) {
      record.bindings.forEach(
          (intent, binding) -> {
            boolean had = binding.connections.removeIf(c -> c.asBinder() == connection.asBinder());
            if (had && binding.connections.isEmpty()) {
              FrameworkCalls.call(
                  thread, "scheduleUnbindService", record.token, intent.getIntent());
              binding.requested = false;
              binding.published = null;
            }
          });
      destroyIfUnneeded(record);
    }
    return true;
  }

  private synchronized Object stopToken(BinderCall call) {
    ServiceRecord record = record(call.first(IBinder.class));
    int startId = call.number(0);
    if (record == null || startId >= 0 && startId != record.startId) {
      return false;
    }
    return stop(record);
  }

  private synchronized boolean stop(ServiceRecord record) {
    if (record == null) {
      return false;
    }
    record.started = false;
    destroyIfUnneeded(record);
    return true;
  }

  private void destroyIfUnneeded(ServiceRecord record) {
    if (!record.isNeeded()) {
      records.remove(record.name);
      FrameworkCalls.call(thread, "scheduleStopService", record.token);
    }
  }

  /** Returns the app's service that takes the intent, created if needed, or null. */
  private ServiceRecord create(Intent intent) {
    ServiceInfo info = components.service(intent);
    if (info == null || !info.packageName.equals(components.packageName())) {
      return null;
    }
    ComponentName name = new ComponentName(info.packageName, info.name);
    ServiceRecord record = records.get(name);
    if (record == null) {
      record = new ServiceRecord(name);
      records.put(name, record);
      FrameworkCalls.call(
          thread,
          "scheduleCreateService",
          record.token,
          info,
          CompatibilityInfo.DEFAULT_COMPATIBILITY_INFO);
    }
    return record;
  }

  private ServiceRecord record(Intent intent) {
    ServiceInfo info = components.service(intent);
    return info == null ? null : records.get(new ComponentName(info.packageName, info.name));
  }

  private ServiceRecord record(IBinder token) {
    return records.values().stream().filter(r -> r.token == token).findFirst().orElse(null);
  }

  private static void connect(
      IServiceConnection connection, ServiceRecord record, IBinder service) {
    FrameworkCalls.call(connection, "connected", record.name, service);
  }
}
