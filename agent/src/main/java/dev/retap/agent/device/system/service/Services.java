// The part of the activity manager that keeps services: started, bound, stopped.
package dev.retap.agent.device.system.service;

import android.app.IServiceConnection;
import android.app.Notification;
import android.app.Service;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ServiceInfo;
import android.content.res.CompatibilityInfo;
import android.os.Binder;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.device.system.activity.AppVisibility;
import dev.retap.agent.device.system.activity.ServiceLimits;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import dev.retap.agent.device.system.packages.ForegroundRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class Services {
  private static final int FIRST_WITH_KINDS_OF_CRASHES = 31;

  private static final class ServiceRecord {
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
  }

  private static final class Binding {
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
  private record Connection(IServiceConnection client, boolean creates) {}

  private final DeclaredComponents components;
  private final Object thread;
  private final ForegroundRules rules;
  private final NotificationServer notifications;
  private final ServiceLimits limits;
  private final int apiLevel;
  private final Handler clock = new Handler(Looper.getMainLooper());
  private final Map<ComponentName, ServiceRecord> records = new LinkedHashMap<>();

  public Services(
      DeclaredComponents components,
      Object applicationThread,
      ForegroundRules rules,
      NotificationServer notifications,
      AppVisibility visibility,
      int apiLevel) {
    this.components = components;
    this.thread = applicationThread;
    this.rules = rules;
    this.notifications = notifications;
    limits = new ServiceLimits(components, rules, visibility, this::hasForeground);
    this.apiLevel = apiLevel;
    visibility.onIdle(this::stopIdle);
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
        .on("unbindService", call -> unbind(call.first(IServiceConnection.class)));
  }

  private synchronized Object startCall(BinderCall call) {
    boolean mustShow = call.flag(0);
    Intent intent = call.first(Intent.class);
    if (mustShow) {
      limits.checkForeground(intent);
    } else if (limits.refusal(intent) != null) {
      return limits.refusal(intent);
    }
    ComponentName name = start(intent);
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
  private void crash(String message, String kind) {
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

  synchronized ComponentName start(Intent intent) {
    ServiceRecord record = find(intent);
    if (record == null) {
      return null;
    }
    create(record);
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
    Long wide = call.nth(long.class, 0);
    long flags = wide == null ? call.number(0) : wide;
    Connection connection =
        new Connection(
            call.first(IServiceConnection.class), (flags & Context.BIND_AUTO_CREATE) != 0);
    return bind(call.first(Intent.class), connection) ? 1 : 0;
  }

  /** Binds a client for which the service is created. */
  public boolean bind(Intent intent, IServiceConnection client) {
    return bind(intent, new Connection(client, true));
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
      FrameworkCalls.call(thread, "scheduleBindService", record.token, intent, false);
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
                  thread, "scheduleUnbindService", record.token, intent.getIntent());
            }
          });
      FrameworkCalls.call(thread, "scheduleStopService", record.token);
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
    FrameworkCalls.call(
        thread,
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

  private static void connect(Connection connection, ServiceRecord record, IBinder service) {
    FrameworkCalls.call(connection.client(), "connected", record.name, service);
  }

  /** Tells a client that the service is gone and will not come back for it. */
  private static void disconnect(Connection connection, ServiceRecord record) {
    boolean dead = true;
    FrameworkCalls.call(connection.client(), "connected", record.name, dead);
  }
}
