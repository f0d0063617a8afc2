// The part of the activity manager that hands broadcasts to receivers, registered and declared.
package dev.retap.agent.device;

import android.content.ComponentName;
import android.content.IIntentReceiver;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.content.res.CompatibilityInfo;
import android.os.Bundle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class Broadcasts {
  private record Registration(IIntentReceiver receiver, IntentFilter filter) {}

  private final Components components;
  private final Object thread;
  private final List<Registration> registrations = new ArrayList<>();
  private final Map<String, Intent> sticky = new LinkedHashMap<>();

  Broadcasts(Components components, Object applicationThread) {
    this.components = components;
    this.thread = applicationThread;
  }

  void serve(BinderStub stub) {
    stub.on("registerReceiver", this::register)
        .on("registerReceiverWithFeature", this::register)
        .on("unregisterReceiver", this::unregister)
        .on("broadcastIntent", this::broadcast)
        .on("broadcastIntentWithFeature", this::broadcast);
  }

  /** A broadcast of the system's; a sticky one is also kept for who registers later. */
  synchronized void send(Intent intent, boolean keep) {
    if (keep) {
      sticky.put(intent.getAction(), intent);
    }
    deliver(intent, keep);
  }

  private synchronized Object register(BinderCall call) {
    IIntentReceiver receiver = call.first(IIntentReceiver.class);
    IntentFilter filter = call.first(IntentFilter.class);
    if (receiver != null) {
      registrations.add(new Registration(receiver, filter));
    }
    Intent kept = null;
    for (Intent intent : sticky.values()) {
      if (fits(filter, intent)) {
        kept = kept == null ? intent : kept;
        if (receiver != null) {
          receive(receiver, intent, false, true);
        }
      }
    }
    return kept;
  }

  private synchronized Object unregister(BinderCall call) {
    IIntentReceiver receiver = call.first(IIntentReceiver.class);
    registrations.removeIf(r -> r.receiver.asBinder() == receiver.asBinder());
    return null;
  }

  private synchronized Object broadcast(BinderCall call) {
    Intent intent = call.first(Intent.class);
    boolean keep = call.flag(1);
    if (keep) {
      sticky.put(intent.getAction(), intent);
    }
    deliver(intent, keep);
    IIntentReceiver last = call.first(IIntentReceiver.class);
    if (last != null) {
      receive(last, intent, false, false);
    }
    return 0;
  }

  private void deliver(Intent intent, boolean keep) {
    if (intent.getComponent() == null) {
      for (Registration registration : new ArrayList<>(registrations)) {
        if (fits(registration.filter, intent)) {
          receive(registration.receiver, intent, false, keep);
        }
      }
    }
    for (ActivityInfo receiver : declared(intent)) {
      Intent addressed = new Intent(intent);
      addressed.setComponent(new ComponentName(receiver.packageName, receiver.name));
      ByType.call(
          thread,
          "scheduleReceiver",
          addressed,
          receiver,
          CompatibilityInfo.DEFAULT_COMPATIBILITY_INFO,
          new Bundle());
    }
  }

  private List<ActivityInfo> declared(Intent intent) {
    PackageManager packages = components.context().getPackageManager();
    List<ActivityInfo> receivers = new ArrayList<>();
    try {
      if (intent.getComponent() != null) {
        receivers.add(packages.getReceiverInfo(intent.getComponent(), PackageManager.GET_META_DATA));
        return receivers;
      }
      for (ResolveInfo match : packages.queryBroadcastReceivers(intent, 0)) {
        ActivityInfo found = match.activityInfo;
        receivers.add(
            packages.getReceiverInfo(
                new ComponentName(found.packageName, found.name), PackageManager.GET_META_DATA));
      }
    } catch (PackageManager.NameNotFoundException e) {
      receivers.clear();
    }
    receivers.removeIf(receiver -> !receiver.packageName.equals(components.packageName()));
    return receivers;
  }

  private boolean fits(IntentFilter filter, Intent intent) {
    if (intent.getPackage() != null && !intent.getPackage().equals(components.packageName())) {
      return false;
    }
    return filter.match(
            components.context().getContentResolver(), intent, false, "retap")
        >= 0;
  }

  private static void receive(
      IIntentReceiver receiver, Intent intent, boolean ordered, boolean keep) {
    ByType.call(receiver, "performReceive", new Intent(intent), 0, ordered, keep, 0);
  }
}
