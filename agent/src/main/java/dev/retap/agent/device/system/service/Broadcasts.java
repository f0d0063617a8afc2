// The part of the activity manager that delivers broadcasts to receivers, registered and
// declared. Registered receivers of an unordered broadcast get it at once. All others take
// turns: the next one gets it when the one before reports that it has finished.
package dev.retap.agent.device.system.service;

import android.content.ComponentName;
import android.content.IIntentReceiver;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.content.res.CompatibilityInfo;
import android.os.Bundle;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.process.AppProcesses;
import dev.retap.agent.device.process.OtherProcess;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.system.packages.BackgroundLimits;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import dev.retap.agent.device.system.packages.ReceiverRules;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class Broadcasts {
  /**
   * @param process the receiver's; null is the main one
   */
  private record Registration(
      IIntentReceiver receiver, IntentFilter filter, OtherProcess process) {}

  /** A receiver that waits for its turn; either registered or declared in the manifest. */
  private record Recipient(int priority, Registration registered, ActivityInfo declared) {}

  private static final class Broadcast {
    final Intent intent;

    /** The sender's; null is the main one, or the system. */
    final OtherProcess process;

    final boolean isOrdered;
    final Deque<Recipient> recipients = new ArrayDeque<>();
    final IIntentReceiver resultReceiver;
    int code;
    String data;
    Bundle extras;

    /** The process of the declared receiver whose turn it is. */
    OtherProcess turn;

    Broadcast(
        Intent intent, OtherProcess process, boolean isOrdered, IIntentReceiver resultReceiver) {
      this.intent = intent;
      this.process = process;
      this.isOrdered = isOrdered;
      this.resultReceiver = resultReceiver;
    }
  }

  private final DeclaredComponents components;
  private final AppProcesses processes;
  private final int apiLevel;
  private final ReceiverRules rules;
  private final List<Registration> registrations = new ArrayList<>();
  private final Map<String, Intent> sticky = new LinkedHashMap<>();
  private final Deque<Broadcast> queue = new ArrayDeque<>();

  public Broadcasts(DeclaredComponents components, AppProcesses processes, int apiLevel) {
    this.components = components;
    this.processes = processes;
    this.apiLevel = apiLevel;
    rules = new ReceiverRules(components.packageName(), components.targetSdk(), apiLevel);
    processes.onEnd(this::processEnded);
  }

  public void serve(BinderStub stub) {
    stub.on("registerReceiver", this::register)
        .on("registerReceiverWithFeature", this::register)
        .on("unregisterReceiver", this::unregister)
        .on("broadcastIntent", this::broadcast)
        .on("broadcastIntentWithFeature", this::broadcast)
        .on("unbroadcastIntent", call -> sticky.remove(call.first(Intent.class).getAction()))
        .on("finishReceiver", this::finished);
  }

  /** Sends a broadcast of the system; a sticky one is kept for receivers that register later. */
  public synchronized void send(Intent intent, boolean isSticky) {
    if (isSticky) {
      sticky.put(intent.getAction(), intent);
    }
    deliver(new Broadcast(intent, null, false, null), isSticky);
  }

  /** Keeps a sticky broadcast for receivers that register later, and sends it to nobody. */
  synchronized void keep(Intent intent) {
    sticky.put(intent.getAction(), intent);
  }

  /** Returns the sticky broadcast of this action, or null if there is none. */
  synchronized Intent lastSticky(String action) {
    return sticky.get(action);
  }

  private synchronized Object register(BinderCall call) {
    IIntentReceiver receiver = call.first(IIntentReceiver.class);
    IntentFilter filter = call.first(IntentFilter.class);
    rules.checkRegistering(receiver != null, filter, call.number(1));
    Registration registration = new Registration(receiver, filter, processes.caller(call));
    if (receiver != null) {
      registrations.add(registration);
    }
    Intent firstSticky = null;
    for (Intent intent : sticky.values()) {
      if (matches(filter, intent)) {
        firstSticky = firstSticky == null ? intent : firstSticky;
        if (receiver != null) {
          receive(registration, new Broadcast(intent, null, false, null), true);
        }
      }
    }
    return firstSticky;
  }

  private synchronized Object unregister(BinderCall call) {
    IIntentReceiver receiver = call.first(IIntentReceiver.class);
    registrations.removeIf(r -> r.receiver.asBinder() == receiver.asBinder());
    return null;
  }

  private synchronized Object broadcast(BinderCall call) {
    Intent intent = call.first(Intent.class);
    rules.checkSending(intent);
    boolean isSticky = call.flag(1);
    if (isSticky) {
      sticky.put(intent.getAction(), intent);
    }
    Broadcast broadcast =
        new Broadcast(
            intent, processes.caller(call), call.flag(0), call.first(IIntentReceiver.class));
    broadcast.code = call.number(0);
    broadcast.data = call.last(String.class);
    broadcast.extras = call.first(Bundle.class);
    deliver(broadcast, isSticky);
    return 0;
  }

  private void deliver(Broadcast broadcast, boolean isSticky) {
    Intent intent = broadcast.intent;
    List<Recipient> recipients = new ArrayList<>();
    if (intent.getComponent() == null) {
      for (Registration registration : new ArrayList<>(registrations)) {
        if (!matches(registration.filter, intent)) {
          continue;
        }
        if (broadcast.isOrdered) {
          recipients.add(new Recipient(registration.filter.getPriority(), registration, null));
        } else {
          receive(registration, broadcast, isSticky);
        }
      }
    }
    recipients.addAll(declared(intent));
    recipients.sort(Comparator.comparingInt(Recipient::priority).reversed());
    broadcast.recipients.addAll(recipients);
    if (recipients.isEmpty() && broadcast.resultReceiver == null) {
      return;
    }
    queue.add(broadcast);
    if (queue.size() == 1) {
      deliverNext();
    }
  }

  /** Delivers the broadcast at the head of the queue to its next receiver. */
  private void deliverNext() {
    while (!queue.isEmpty()) {
      Broadcast broadcast = queue.peek();
      Recipient recipient = broadcast.recipients.poll();
      if (recipient == null) {
        queue.poll();
        if (broadcast.resultReceiver != null) {
          perform(broadcast.resultReceiver, broadcast.intent, broadcast, false, false);
        }
        continue;
      }
      broadcast.turn = null;
      if (recipient.registered != null) {
        Registration registered = recipient.registered;
        broadcast.turn = registered.process;
        Intent passed = processes.pass(broadcast.intent, broadcast.process, registered.process);
        perform(registered.receiver, passed, broadcast, true, false);
      } else {
        start(recipient.declared, broadcast);
      }
      return;
    }
  }

  private synchronized Object finished(BinderCall call) {
    Broadcast broadcast = queue.peek();
    if (broadcast != null) {
      if (broadcast.isOrdered) {
        broadcast.code = call.number(0);
        broadcast.data = call.first(String.class);
        broadcast.extras = call.first(Bundle.class);
        if (call.flag(0)) {
          broadcast.recipients.clear();
        }
      }
      deliverNext();
    }
    return null;
  }

  /** Goes on with the next receiver if the process of the one whose turn it is has ended. */
  private synchronized void processEnded(OtherProcess process) {
    registrations.removeIf(registration -> registration.process == process);
    for (Broadcast broadcast : queue) {
      broadcast.recipients.removeIf(r -> r.registered != null && r.registered.process == process);
    }
    if (!queue.isEmpty() && queue.peek().turn == process) {
      deliverNext();
    }
  }

  private void start(ActivityInfo receiver, Broadcast broadcast) {
    broadcast.turn = processes.of(receiver);
    Intent addressed =
        new Intent(processes.pass(broadcast.intent, broadcast.process, broadcast.turn));
    addressed.setComponent(new ComponentName(receiver.packageName, receiver.name));
    FrameworkCalls.call(
        processes.threadOf(receiver),
        "scheduleReceiver",
        addressed,
        receiver,
        CompatibilityInfo.DEFAULT_COMPATIBILITY_INFO,
        broadcast.code,
        broadcast.data,
        broadcast.extras,
        broadcast.isOrdered);
  }

  private List<Recipient> declared(Intent intent) {
    List<Recipient> receivers = new ArrayList<>();
    if ((intent.getFlags() & Intent.FLAG_RECEIVER_REGISTERED_ONLY) != 0
        || BackgroundLimits.hides(intent, components.targetSdk(), apiLevel)) {
      return receivers;
    }
    if (intent.getComponent() != null) {
      addDeclared(receivers, 0, intent.getComponent());
    } else {
      PackageManager packages = components.context().getPackageManager();
      for (ResolveInfo match : packages.queryBroadcastReceivers(intent, 0)) {
        ActivityInfo found = match.activityInfo;
        addDeclared(receivers, match.priority, new ComponentName(found.packageName, found.name));
      }
    }
    return receivers;
  }

  /** Adds a receiver of the app; one that is gone or not the app's is left out. */
  private void addDeclared(List<Recipient> receivers, int priority, ComponentName name) {
    if (!name.getPackageName().equals(components.packageName())) {
      return;
    }
    try {
      PackageManager packages = components.context().getPackageManager();
      ActivityInfo info = packages.getReceiverInfo(name, PackageManager.GET_META_DATA);
      receivers.add(new Recipient(priority, null, info));
    } catch (PackageManager.NameNotFoundException e) {
      // The others still get the broadcast.
    }
  }

  private boolean matches(IntentFilter filter, Intent intent) {
    if (intent.getPackage() != null && !intent.getPackage().equals(components.packageName())) {
      return false;
    }
    return filter.match(components.context().getContentResolver(), intent, false, "retap") >= 0;
  }

  private void receive(Registration registration, Broadcast broadcast, boolean isSticky) {
    Intent passed = processes.pass(broadcast.intent, broadcast.process, registration.process);
    perform(registration.receiver, passed, broadcast, false, isSticky);
  }

  private static void perform(
      IIntentReceiver receiver,
      Intent intent,
      Broadcast broadcast,
      boolean ordered,
      boolean isSticky) {
    FrameworkCalls.call(
        receiver,
        "performReceive",
        new Intent(intent),
        broadcast.code,
        broadcast.data,
        broadcast.extras,
        ordered,
        isSticky,
        // From API 34 on, an unordered delivery reports that it finished unless this is set.
        !ordered,
        0);
  }
}
