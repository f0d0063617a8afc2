// The part of the activity manager that keeps services: started, bound, stopped.
package dev.retap.agent.device.system.services;

import android.app.IServiceConnection;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ServiceInfo;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.process.AppProcesses;
import dev.retap.agent.device.process.OtherProcess;
import dev.retap.agent.device.system.activity.AppVisibility;
import dev.retap.agent.device.system.activity.ServiceLimits;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import dev.retap.agent.device.system.packages.ForegroundRules;
import dev.retap.agent.device.system.service.NotificationServer;
import dev.retap.agent.device.system.services.ServiceRecord.Binding;
import dev.retap.agent.device.system.services.ServiceRecord.Connection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

public final class Services {
  /** The time after which a service comes back when its process has ended; the next times more. */
  private static final long RESTART_MILLIS = 1_000;

  private static final int RESTART_FACTOR = 4;

  private final DeclaredComponents components;
  private final AppProcesses processes;
  private final ServiceLimits limits;
  private final ServiceOrders orders;
  private final ForegroundServices foreground;
  private final ServiceClients clients;
  private final Handler clock = new Handler(Looper.getMainLooper());
  private final Map<ComponentName, ServiceRecord> records = new LinkedHashMap<>();

  public Services(
      DeclaredComponents components,
      AppProcesses processes,
      ForegroundRules rules,
      NotificationServer notifications,
      AppVisibility visibility,
      int apiLevel) {
    this.components = components;
    this.processes = processes;
    limits = new ServiceLimits(components, rules, visibility, this::hasForeground);
    orders = new ServiceOrders(processes, apiLevel);
    foreground = new ForegroundServices(rules, notifications, orders, clock, apiLevel);
    clients = new ServiceClients(orders);
    visibility.onIdle(this::stopIdle);
    processes.onEnd(this::processEnded);
  }

  public void serve(BinderStub stub) {
    stub.on("startService", this::startCall)
        .on("setServiceForeground", this::setForeground)
        .on("stopService", call -> stop(record(call.first(Intent.class))) ? 1 : 0)
        .on("stopServiceToken", this::stopToken)
        .on("bindService", this::bind)
        .on("bindServiceInstance", this::bind)
        .on("bindIsolatedService", this::bind)
        .on("publishService", this::publish)
        .on("peekService", call -> peek(call.first(Intent.class)))
        .on("unbindService", call -> unbind(call.first(IServiceConnection.class)))
        .on("serviceDoneExecuting", this::done);
  }

  private synchronized Object startCall(BinderCall call) {
    boolean mustShow = call.flag(0);
    Intent intent = call.first(Intent.class);
    if (mustShow) {
      limits.checkForeground(intent);
    } else if (limits.refusal(intent) != null) {
      return limits.refusal(intent);
    }
    ComponentName name = start(intent, processes.caller(call));
    ServiceRecord record = records.get(name);
    if (mustShow && record != null) {
      foreground.expect(record, () -> missDeadline(record));
    }
    return name;
  }

  private boolean hasForeground() {
    return records.values().stream().anyMatch(record -> record.shown != 0);
  }

  /** Stops the services that an idle app has started. */
  private synchronized void stopIdle() {
    if (limits.isIdle()) {
      new ArrayList<>(records.values()).stream().filter(r -> r.started).forEach(this::stop);
    }
  }

  /** Stops a service that has not shown its notification, which ends the app. */
  private synchronized void missDeadline(ServiceRecord record) {
    if (record.deadline != null) {
      stop(record);
      foreground.crashUnshown(record);
    }
  }

  private synchronized Object setForeground(BinderCall call) {
    ServiceRecord record = record(call.first(IBinder.class));
    if (record != null) {
      foreground.set(record, call);
    }
    return null;
  }

  /** Starts a service for the system or the app's main process. */
  public ComponentName start(Intent intent) {
    return start(intent, null);
  }

  private synchronized ComponentName start(Intent intent, OtherProcess caller) {
    ServiceRecord record = find(intent);
    if (record == null) {
      return null;
    }
    create(record);
    record.started = true;
    orders.start(record, processes.pass(intent, caller, record.process));
    return record.name;
  }

  private synchronized Object done(BinderCall call) {
    ServiceRecord record = record(call.first(IBinder.class));
    boolean isStart = call.number(0) == 1;
    if (record != null && isStart) {
      record.done(call.number(1), call.number(2));
    }
    return null;
  }

  private Object bind(BinderCall call) {
    Long wide = call.nth(long.class, 0);
    long flags = wide == null ? call.number(0) : wide;
    Connection connection =
        new Connection(
            call.first(IServiceConnection.class),
            (flags & Context.BIND_AUTO_CREATE) != 0,
            processes.caller(call));
    return bind(call.first(Intent.class), connection) ? 1 : 0;
  }

  /** Binds a client for which the service is created. */
  public boolean bind(Intent intent, IServiceConnection client) {
    return bind(intent, new Connection(client, true, null));
  }

  private synchronized boolean bind(Intent intent, Connection connection) {
    ServiceRecord record = find(intent);
    if (record == null) {
      return false;
    }
    Binding binding = ServiceClients.add(record, intent, connection);
    if (binding.published != null) {
      ServiceClients.connect(connection, record, binding.published);
    } else if (connection.creates()) {
      create(record);
    }
    if (record.created) {
      clients.request(record, intent, binding);
    }
    return true;
  }

  /** Returns the interface that a service has published for the intent, or null. */
  private synchronized IBinder peek(Intent intent) {
    ServiceRecord record = record(intent);
    Binding binding =
        record == null ? null : record.bindings.get(new Intent.FilterComparison(intent));
    return binding == null ? null : binding.published;
  }

  private synchronized Object publish(BinderCall call) {
    ServiceRecord record = record(call.first(IBinder.class));
    if (record != null) {
      clients.publish(record, call.first(Intent.class), call.nth(IBinder.class, 1));
    }
    return null;
  }

  public synchronized boolean unbind(IServiceConnection connection) {
    for (ServiceRecord record : new ArrayList<>(records.values())) {
      clients.remove(record, connection);
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
    if (record.isNeeded()) {
      return;
    }
    records.remove(record.name);
    foreground.crashUnshown(record);
    foreground.hide(record, false);
    if (record.created) {
      clients.disconnectAll(record);
      orders.stop(record);
    }
  }

  /** Returns the app's service that takes the intent, or null. */
  private ServiceRecord find(Intent intent) {
    ServiceInfo info = components.service(intent);
    if (info == null || !info.packageName.equals(components.packageName())) {
      return null;
    }
    ComponentName name = new ComponentName(info.packageName, info.name);
    return records.computeIfAbsent(name, it -> new ServiceRecord(it, info));
  }

  /** Creates a service unless it lives, and asks it for the interfaces that clients wait for. */
  private void create(ServiceRecord record) {
    if (record.created) {
      return;
    }
    record.created = true;
    record.process = processes.of(record.info);
    orders.create(record);
    clients.requestAll(record);
  }

  private ServiceRecord record(Intent intent) {
    ServiceInfo info = components.service(intent);
    return info == null ? null : records.get(new ComponentName(info.packageName, info.name));
  }

  private ServiceRecord record(IBinder token) {
    return records.values().stream().filter(r -> r.token == token).findFirst().orElse(null);
  }

  /** Forgets what a process held, and lets the services come back that are still wanted. */
  private synchronized void processEnded(OtherProcess process) {
    for (ServiceRecord record : new ArrayList<>(records.values())) {
      ServiceClients.removeAll(record, process);
      if (record.process == process) {
        lose(record);
      } else {
        destroyIfUnneeded(record);
      }
    }
  }

  /** Takes a service as gone whose process has ended; those bound to it are told. */
  private void lose(ServiceRecord record) {
    record.created = false;
    record.process = null;
    record.started &= record.comesBack();
    foreground.meetDeadline(record);
    foreground.hide(record, false);
    ServiceClients.loseAll(record);
    if (record.isNeeded()) {
      long delay = RESTART_MILLIS * (long) Math.pow(RESTART_FACTOR, record.restarts++);
      clock.postDelayed(() -> comeBack(record), delay);
    } else {
      records.remove(record.name);
    }
  }

  private synchronized void comeBack(ServiceRecord record) {
    if (records.get(record.name) == record && !record.created && record.isNeeded()) {
      create(record);
      if (record.started) {
        orders.start(record, record.intentAgain());
      }
    }
  }
}
