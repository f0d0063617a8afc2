// The clients that are bound to services: they get the interface that a service publishes, and hear
// when it is gone. Services calls it with its lock held.
package dev.retap.agent.device.system.services;

import android.app.IServiceConnection;
import android.content.Intent;
import android.os.IBinder;
import dev.retap.agent.device.process.OtherProcess;
import dev.retap.agent.device.process.Passing;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.system.services.ServiceRecord.Binding;
import dev.retap.agent.device.system.services.ServiceRecord.Connection;

final class ServiceClients {
  private final ServiceOrders orders;

  ServiceClients(ServiceOrders orders) {
    this.orders = orders;
  }

  static Binding add(ServiceRecord record, Intent intent, Connection connection) {
    Binding binding =
        record.bindings.computeIfAbsent(new Intent.FilterComparison(intent), k -> new Binding());
    binding.connections.add(connection);
    return binding;
  }

  /** Asks a service for the interface of a binding, once. */
  void request(ServiceRecord record, Intent intent, Binding binding) {
    if (!binding.requested) {
      binding.requested = true;
      orders.bind(record, intent);
    }
  }

  /** Asks a service that was created for the interfaces that clients wait for. */
  void requestAll(ServiceRecord record) {
    record.bindings.forEach((intent, binding) -> request(record, intent.getIntent(), binding));
  }

  /** Hands the interface to the clients that wait for it. */
  void publish(ServiceRecord record, Intent intent, IBinder service) {
    Binding binding = record.bindings.get(new Intent.FilterComparison(intent));
    if (binding == null) {
      // The last connection was unbound before the service answered.
      return;
    }
    binding.published = service;
    if (service != null) {
      binding.connections.forEach(c -> connect(c, record, service));
    }
  }

  /** Takes a client off; the service hears of the last one. */
  void remove(ServiceRecord record, IServiceConnection connection) {
    record.bindings.forEach(
        (intent, binding) -> {
          boolean had =
              binding.connections.removeIf(c -> c.client().asBinder() == connection.asBinder());
          if (had && binding.connections.isEmpty() && binding.requested) {
            orders.unbind(record, intent.getIntent());
            binding.requested = false;
            binding.published = null;
          }
        });
  }

  /** Takes off the clients of a process that has ended. */
  static void removeAll(ServiceRecord record, OtherProcess process) {
    record.bindings.values().forEach(b -> b.connections.removeIf(c -> c.process() == process));
  }

  /** Tells the clients that the service is gone and will not come back for them. */
  void disconnectAll(ServiceRecord record) {
    record.bindings.forEach(
        (intent, binding) -> {
          if (binding.published != null) {
            boolean isForGood = true;
            binding.connections.forEach(c -> tellGone(c, record, isForGood));
          }
          if (binding.requested) {
            orders.unbind(record, intent.getIntent());
          }
        });
  }

  /** Tells the clients that the service is gone for now, with its process. */
  static void loseAll(ServiceRecord record) {
    for (Binding binding : record.bindings.values()) {
      if (binding.published != null) {
        boolean isForGood = false;
        binding.connections.forEach(c -> tellGone(c, record, isForGood));
      }
      binding.published = null;
      binding.requested = false;
    }
  }

  /** Hands the interface of a service to a client. */
  static void connect(Connection connection, ServiceRecord record, IBinder service) {
    IBinder passed =
        connection.process() == record.process ? service : Passing.link(service, record.process);
    FrameworkCalls.call(connection.client(), "connected", record.name, passed);
  }

  private static void tellGone(Connection connection, ServiceRecord record, boolean isForGood) {
    FrameworkCalls.call(connection.client(), "connected", record.name, isForGood);
  }
}
