// The part of the activity manager that keeps services: started, bound, stopped.
package dev.retap.agent.device.system.services;

import android.app.IServiceConnection;
import android.app.Notification;
import android.app.Service;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ServiceInfo;
import android.content.res.CompatibilityInfo;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.process.AppProcesses;
import dev.retap.agent.device.process.OtherProcess;
import dev.retap.agent.device.process.Passing;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.device.system.activity.AppVisibility;
import dev.retap.agent.device.system.activity.ServiceLimits;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import dev.retap.agent.device.system.packages.ForegroundRules;
import dev.retap.agent.device.system.service.NotificationServer;
import dev.retap.agent.device.system.services.ServiceRecord.Binding;
import dev.retap.agent.device.system.services.ServiceRecord.Connection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class Services {
  private static final int FIRST_WITH_KINDS_OF_CRASHES = 31;

  /** The time after which a service comes back when its process has ended; the next times more. */
  private static final long RESTART_MILLIS = 1_000;

  private static final int RESTART_FACTOR = 4;

  private final DeclaredComponents components;
  private final AppProcesses processes;
  private final ForegroundRules rules;
  private final NotificationServer notifications;
  private final ServiceLimits limits;
  private final int apiLevel;
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
    this.rules = rules;
    this.notifications = notifications;
    limits = new ServiceLimits(components, rules, visibility, this::hasForeground);
    this.apiLevel = apiLevel;
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
    if (mustShow && record != null && record.shown == 0 && record.deadline == null) {
      record.deadline = () -> missDeadline(record);
      clock.postDelayed(record.deadline, deadlineMillis());
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

  /** Returns the time that a service has for its notification. */
  private long deadlineMillis() {
    if (apiLevel < 28) {
      return 5_000;
    }
    return apiLevel < 33 ? 10_000 : 30_000;
  }

  /** Stops a service that has not shown its notification, which ends the app. */
  private synchronized void missDeadline(ServiceRecord record) {
    if (record.deadline != null) {
      stop(record);
      crashUnshown(record);
    }
  }

  private void crashUnshown(ServiceRecord record) {
    if (record.deadline != null) {
      meetDeadline(record);
      crash(
          record,
          "Context.startForegroundService() did not then call Service.startForeground(): "
              + "ServiceRecord{0 u0 %s}".formatted(record.name.flattenToShortString()),
          "ForegroundServiceDidNotStartInTimeException");
    }
  }

  private void meetDeadline(ServiceRecord record) {
    if (record.deadline != null) {
      clock.removeCallbacks(record.deadline);
      record.deadline = null;
    }
  }

  /** Lets the app's main thread throw; from API 31 on an exception of this kind. */
  private void crash(ServiceRecord record, String message, String kind) {
    Object thread = thread(record);
    if (apiLevel < FIRST_WITH_KINDS_OF_CRASHES) {
      FrameworkCalls.call(thread, "scheduleCrash", message);
    } else {
      Class<?> type = FrameworkCalls.type("android.app.RemoteServiceException$" + kind);
      Object id = FrameworkFields.getStatic(type, "TYPE_ID");
      FrameworkCalls.call(thread, "scheduleCrash", message, id);
    }
  }

  /** Brings a service into the foreground with its notification, or takes it out of there. */
  private synchronized Object setForeground(BinderCall call) {
    ServiceRecord record = record(call.first(IBinder.class));
    if (record == null) {
      return null;
    }
    int id = call.number(0);
    if (id == 0) {
      boolean keepsNotification = (call.number(1) & Service.STOP_FOREGROUND_REMOVE) == 0;
      hide(record, keepsNotification);
      return null;
    }
    Notification notification = call.first(Notification.class);
    if (notification == null) {
      throw BinderStub.trimmed(new IllegalArgumentException("null notification"));
    }
    meetDeadline(record);
    rules.check(record.info, call.number(2));
    record.shown = id;
    String fault = notifications.showForeground(record.name, id, notification);
    if (fault != null) {
      crash(
          record,
          "Bad notification for startForeground: java.lang.RuntimeException: " + fault,
          "CannotPostForegroundServiceNotificationException");
    }
    return null;
  }

  private void hide(ServiceRecord record, boolean keepsNotification) {
    if (record.shown != 0 && !keepsNotification) {
      notifications.hideForeground(record.shown);
    }
    record.shown = 0;
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
    sendStart(record, processes.pass(intent, caller, record.process));
    return record.name;
  }

  private void sendStart(ServiceRecord record, Intent intent) {
    Object thread = thread(record);
    record.startId++;
    record.deliver(intent);
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
    Binding binding =
        record.bindings.computeIfAbsent(new Intent.FilterComparison(intent), k -> new Binding());
    binding.connections.add(connection);
    if (binding.published != null) {
      connect(connection, record, binding.published);
    } else if (connection.creates()) {
      create(record);
    }
    if (record.created) {
      request(record, intent, binding);
    }
    return true;
  }

  /** Asks the service for the interface of a binding, once. */
  private void request(ServiceRecord record, Intent intent, Binding binding) {
    if (!binding.requested) {
      binding.requested = true;
      Intent passed = record.process == null ? intent : Passing.copy(intent);
      FrameworkCalls.call(thread(record), "scheduleBindService", record.token, passed, false);
    }
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

  public synchronized boolean unbind(IServiceConnection connection) {
    for (ServiceRecord record : new ArrayList<>(records.values())) {
      record.bindings.forEach(
          (intent, binding) -> {
            boolean had =
                binding.connections.removeIf(c -> c.client().asBinder() == connection.asBinder());
            if (had && binding.connections.isEmpty() && binding.requested) {
              FrameworkCalls.call(
                  thread(record), "scheduleUnbindService", record.token, intent.getIntent());
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
    if (record.isNeeded()) {
      return;
    }
    records.remove(record.name);
    crashUnshown(record);
    hide(record, false);
    if (record.created) {
      record.bindings.forEach(
          (intent, binding) -> {
            if (binding.published != null) {
              binding.connections.forEach(c -> disconnect(c, record));
            }
            if (binding.requested) {
              FrameworkCalls.call(
                  thread(record), "scheduleUnbindService", record.token, intent.getIntent());
            }
          });
      FrameworkCalls.call(thread(record), "scheduleStopService", record.token);
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
    FrameworkCalls.call(
        thread(record),
        "scheduleCreateService",
        record.token,
        record.info,
        CompatibilityInfo.DEFAULT_COMPATIBILITY_INFO);
    record.bindings.forEach((intent, binding) -> request(record, intent.getIntent(), binding));
  }

  private ServiceRecord record(Intent intent) {
    ServiceInfo info = components.service(intent);
    return info == null ? null : records.get(new ComponentName(info.packageName, info.name));
  }

  private ServiceRecord record(IBinder token) {
    return records.values().stream().filter(r -> r.token == token).findFirst().orElse(null);
  }

  private Object thread(ServiceRecord record) {
    return processes.thread(record.process).getApplicationThread();
  }

  /** Forgets what a process held, and lets the services come back that are still wanted. */
  private synchronized void processEnded(OtherProcess process) {
    for (ServiceRecord record : new ArrayList<>(records.values())) {
      record.bindings.values().forEach(b -> b.connections.removeIf(c -> c.process() == process));
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
    meetDeadline(record);
    hide(record, false);
    record.bindings.values().forEach(binding -> lose(binding, record));
    if (record.isNeeded()) {
      long delay = RESTART_MILLIS * (long) Math.pow(RESTART_FACTOR, record.restarts++);
      clock.postDelayed(() -> comeBack(record), delay);
    } else {
      records.remove(record.name);
    }
  }

  private static void lose(Binding binding, ServiceRecord record) {
    if (binding.published != null) {
      binding.connections.forEach(
          c -> FrameworkCalls.call(c.client(), "connected", record.name, false));
    }
    binding.published = null;
    binding.requested = false;
  }

  private synchronized void comeBack(ServiceRecord record) {
    if (records.get(record.name) == record && !record.created && record.isNeeded()) {
      create(record);
      if (record.started) {
        sendStart(record, record.intentAgain());
      }
    }
  }

  private static void connect(Connection connection, ServiceRecord record, IBinder service) {
    IBinder passed =
        connection.process() == record.process ? service : Passing.link(service, record.process);
    FrameworkCalls.call(connection.client(), "connected", record.name, passed);
  }

  /** Tells a client that the service is gone and will not come back for it. */
  private static void disconnect(Connection connection, ServiceRecord record) {
    boolean dead = true;
    FrameworkCalls.call(connection.client(), "connected", record.name, dead);
  }
}
