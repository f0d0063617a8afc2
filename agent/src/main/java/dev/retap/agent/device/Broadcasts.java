// The part of the activity manager that hands broadcasts to receivers, registered and declared.
// Registered receivers of a plain broadcast hear it at once; all others take turns, and the next
// one's turn comes when the one before reports that it has finished.
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class Broadcasts {
  private record Registration(IIntentReceiver receiver, IntentFilter filter) {}

  /** Somebody whose turn comes: a registered receiver or a declared one. */
  private record Turn(int priority, IIntentReceiver registered, ActivityInfo declared) {}

  private static final class Ordered {
    final Intent intent;
    final boolean ordered;
    final Deque<Turn> turns = new ArrayDeque<>();
    final IIntentReceiver last;
    int code;
    String data;
    Bundle extras;

    Ordered(Intent intent, boolean ordered, IIntentReceiver last) {
      this.intent = intent;
      this.ordered = ordered;
      this.last = last;
    }
  }

  private final Components components;
  private final Object thread;
  private final int apiLevel;
  private final List<Registration> registrations = new ArrayList<>();
  private final Map<String, Intent> sticky = new LinkedHashMap<>();
  private final Deque<Ordered> queue = new ArrayDeque<>();

  Broadcasts(Components components, Object applicationThread, int apiLevel) {
    this.components = components;
    this.thread = applicationThread;
    this.apiLevel = apiLevel;
  }

  void serve(BinderStub stub) {
    stub.on("registerReceiver", this::register)
        .on("registerReceiverWithFeature", this::register)
        .on("unregisterReceiver", this::unregister)
        .on("broadcastIntent", this::broadcast)
        .on("broadcastIntentWithFeature", this::broadcast)
        .on("unbroadcastIntent", call -> sticky.remove(call.first(Intent.class).getAction()))
        .on("finishReceiver", this::finished);
  }

  /** A broadcast of the system's; a sticky one is also kept for who registers later. */
  synchronized void send(Intent intent, boolean keep) {
    if (keep) {
      sticky.put(intent.getAction(), intent);
    }
    deliver(new Ordered(intent, false, null), keep);
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
          receive(receiver, new Ordered(intent, false, null), true);
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
    Ordered broadcast = new Ordered(intent, call.flag(0), call.first(IIntentReceiver.class));
    broadcast.code = call.number(0);
    broadcast.data = call.last(String.class);
    broadcast.extras = call.first(Bundle.class);
    deliver(broadcast, keep);
    return 0;
  }

  private void deliver(Ordered broadcast, boolean keep) {
    Intent intent = broadcast.intent;
    List<Turn> turns = new ArrayList<>();
    if (intent.getComponent() == null) {
      for (Registration registration : new ArrayList<>(registrations)) {
        if (!fits(registration.filter, intent)) {
          continue;
        }
        if (broadcast.ordered) {
          turns.add(new Turn(registration.filter.getPriority(), registration.receiver, null));
        } else {
          receive(registration.receiver, broadcast, keep);
        }
      }
    }
    turns.addAll(declared(intent));
    turns.sort(Comparator.comparingInt(Turn::priority).reversed());
    broadcast.turns.addAll(turns);
    if (turns.isEmpty() && broadcast.last == null) {
      return;
    }
    queue.add(broadcast);
    if (queue.size() == 1) {
      next();
    }
  }

  /** Gives the turn to the next receiver of the broadcast at the head of the queue. */
  private void next() {
    while (!queue.isEmpty()) {
      Ordered broadcast = queue.peek();
      Turn turn = broadcast.turns.poll();
      if (turn == null) {
        queue.poll();
        if (broadcast.last != null) {
          perform(broadcast.last, broadcast, false, false);
        }
        continue;
      }
      if (turn.registered != null) {
        perform(turn.registered, broadcast, true, false);
      } else {
        start(turn.declared, broadcast);
      }
      return;
    }
  }

  private synchronized Object finished(BinderCall call) {
    Ordered broadcast = queue.peek();
    if (broadcast != null) {
      if (broadcast.ordered) {
        broadcast.code = call.number(0);
        broadcast.data = call.first(String.class);
        broadcast.extras = call.first(Bundle.class);
        if (call.flag(0)) {
          broadcast.turns.clear();
        }
      }
      next();
    }
    return null;
  }

  private void start(ActivityInfo receiver, Ordered broadcast) {
    Intent addressed = new Intent(broadcast.intent);
    addressed.setComponent(new ComponentName(receiver.packageName, receiver.name));
    ByType.call(
        thread,
        "scheduleReceiver",
        addressed,
        receiver,
        CompatibilityInfo.DEFAULT_COMPATIBILITY_INFO,
        broadcast.code,
        broadcast.data,
        broadcast.extras,
        broadcast.ordered);
  }

  private List<Turn> declared(Intent intent) {
    List<Turn> receivers = new ArrayList<>();
    if ((intent.getFlags() & Intent.FLAG_RECEIVER_REGISTERED_ONLY) != 0
        || BackgroundLimits.hides(intent, components.targetSdk(), apiLevel)) {
      return receivers;
    }
    PackageManager packages = components.context().getPackageManager();
    try {
      if (intent.getComponent() != null) {
        receivers.add(new Turn(0, null, info(packages, intent.getComponent())));
      } else {
        for (ResolveInfo match : packages.queryBroadcastReceivers(intent, 0)) {
          ActivityInfo found = match.activityInfo;
          receivers.add(
              new Turn(
                  match.priority,
                  null,
                  info(packages, new ComponentName(found.packageName, found.name))));
        }
      }
    } catch (PackageManager.NameNotFoundException e) {
      receivers.clear();
    }
    receivers.removeIf(turn -> !turn.declared.packageName.equals(components.packageName()));
    return receivers;
  }

  private static ActivityInfo info(PackageManager packages, ComponentName name)
      throws PackageManager.NameNotFoundException {
    return packages.getReceiverInfo(name, PackageManager.GET_META_DATA);
  }

  private boolean fits(IntentFilter filter, Intent intent) {
    if (intent.getPackage() != null && !intent.getPackage().equals(components.packageName())) {
      return false;
    }
    return filter.match(components.context().getContentResolver(), intent, false, "retap") >= 0;
  }

  private static void receive(IIntentReceiver receiver, Ordered broadcast, boolean keep) {
    perform(receiver, broadcast, false, keep);
  }

  private static void perform(
      IIntentReceiver receiver, Ordered broadcast, boolean ordered, boolean keep) {
    ByType.call(
        receiver,
        "performReceive",
        new Intent(broadcast.intent),
        broadcast.code,
        broadcast.data,
        broadcast.extras,
        ordered,
        keep,
        // From API 34 on even a plain delivery is reported as finished unless told not to.
        !ordered,
        0);
  }
}
