// The orders that the activity manager gives to the process of a service. The framework's own
// ActivityThread carries them out on the main thread.
package dev.retap.agent.device.system.services;

import android.content.Intent;
import android.content.res.CompatibilityInfo;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.process.AppProcesses;
import dev.retap.agent.device.process.Passing;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import java.util.List;

final class ServiceOrders {
  private static final int FIRST_WITH_LISTS_OF_STARTS = 26;
  private static final int FIRST_WITH_KINDS_OF_CRASHES = 31;

  private final AppProcesses processes;
  private final int apiLevel;

  ServiceOrders(AppProcesses processes, int apiLevel) {
    this.processes = processes;
    this.apiLevel = apiLevel;
  }

  private Object thread(ServiceRecord record) {
    return processes.thread(record.process).getApplicationThread();
  }

  void create(ServiceRecord record) {
    FrameworkCalls.call(
        thread(record),
        "scheduleCreateService",
        record.token,
        record.info,
        CompatibilityInfo.DEFAULT_COMPATIBILITY_INFO);
  }

  void start(ServiceRecord record, Intent intent) {
    Object thread = thread(record);
    record.startId++;
    record.deliver(intent);
    if (apiLevel < FIRST_WITH_LISTS_OF_STARTS) {
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

  void bind(ServiceRecord record, Intent intent) {
    Intent passed = record.process == null ? intent : Passing.copy(intent);
    FrameworkCalls.call(thread(record), "scheduleBindService", record.token, passed, false);
  }

  void unbind(ServiceRecord record, Intent intent) {
    FrameworkCalls.call(thread(record), "scheduleUnbindService", record.token, intent);
  }

  void stop(ServiceRecord record) {
    FrameworkCalls.call(thread(record), "scheduleStopService", record.token);
  }

  /** Lets the app's main thread throw; from API 31 on an exception of this kind. */
  void crash(ServiceRecord record, String message, String kind) {
    Object thread = thread(record);
    if (apiLevel < FIRST_WITH_KINDS_OF_CRASHES) {
      FrameworkCalls.call(thread, "scheduleCrash", message);
    } else {
      Class<?> type = FrameworkCalls.type("android.app.RemoteServiceException$" + kind);
      Object id = FrameworkFields.getStatic(type, "TYPE_ID");
      FrameworkCalls.call(thread, "scheduleCrash", message, id);
    }
  }
}
