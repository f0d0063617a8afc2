// The part of the activity manager that keeps pending intents. Equal requests share one; an
// alarm, a notification or the app itself sends it.
package dev.retap.agent.device.system.service;

import android.app.PendingIntent;
import android.content.IIntentReceiver;
import android.content.IIntentSender;
import android.content.Intent;
import android.content.IntentSender;
import android.os.IBinder;
import android.os.Process;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.device.system.activity.ActivityRecord;
import dev.retap.agent.device.system.activity.ActivityTaskServer;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

public final class PendingIntents {
  private static final int BROADCAST = 1;
  private static final int ACTIVITY = 2;
  private static final int RESULT = 3;
  private static final int CANCELED = -96;

  private record Key(int type, int requestCode, IBinder to, Intent.FilterComparison intent) {}

  private static final class Pending {
    final Key key;
    final String who;
    final IIntentSender sender;
    Intent[] intents;
    boolean isOneShot;
    boolean isMutable;
    boolean isCancelled;

    Pending(Key key, String who, IIntentSender sender) {
      this.key = key;
      this.who = who;
      this.sender = sender;
    }
  }

  private final DeclaredComponents components;
  private final ActivityTaskServer tasks;
  private final Consumer<Intent> services;
  private final Broadcasts broadcasts;
  private final Map<Key, Pending> known = new LinkedHashMap<>();
  private final Map<IBinder, Pending> senders = new LinkedHashMap<>();

  /**
   * @param services starts a service
   */
  public PendingIntents(
      DeclaredComponents components,
      ActivityTaskServer tasks,
      Consumer<Intent> services,
      Broadcasts broadcasts) {
    this.components = components;
    this.tasks = tasks;
    this.services = services;
    this.broadcasts = broadcasts;
  }

  public void serve(BinderStub stub) {
    stub.on("getIntentSender", this::get)
        .on("getIntentSenderWithFeature", this::get)
        .on("cancelIntentSender", call -> cancel(pending(call)))
        .on("sendIntentSender", call -> send(pending(call), call))
        .on("startActivityIntentSender", this::startForResult)
        .on("getPackageForIntentSender", call -> components.packageName())
        .on("getUidForIntentSender", call -> Process.myUid())
        .on("getInfoForIntentSender", call -> info(pending(call)))
        .on("isIntentSenderTargetedToPackage", call -> true)
        .on("isIntentSenderAnActivity", call -> pending(call).key.type == ACTIVITY)
        .on("getIntentForIntentSender", call -> new Intent(last(pending(call))));
  }

  /** Answers with the class that API 31 introduced. */
  private Object info(Pending pending) {
    return FrameworkCalls.construct(
        FrameworkCalls.type("android.app.ActivityManager$PendingIntentInfo"),
        components.packageName(),
        Process.myUid(),
        pending != null && !pending.isMutable,
        pending == null ? 0 : pending.key.type);
  }

  private synchronized Object get(BinderCall call) {
    int type = call.number(0);
    int request = call.number(1);
    int flags = call.number(2);
    Intent[] intents = call.first(Intent[].class);
    IBinder to = type == RESULT ? call.first(IBinder.class) : null;
    Intent first = intents == null ? new Intent() : intents[intents.length - 1];
    Key key = new Key(type, request, to, new Intent.FilterComparison(first));
    Pending found = known.get(key);
    if (found != null && (flags & PendingIntent.FLAG_CANCEL_CURRENT) != 0) {
      cancel(found);
      found = null;
    }
    if ((flags & PendingIntent.FLAG_NO_CREATE) != 0) {
      return found == null ? null : found.sender;
    }
    if (found == null) {
      found = new Pending(key, call.last(String.class), sender());
      known.put(key, found);
      senders.put(found.sender.asBinder(), found);
    }
    if (found.intents == null || (flags & PendingIntent.FLAG_UPDATE_CURRENT) != 0) {
      found.intents = intents;
    }
    found.isOneShot = (flags & PendingIntent.FLAG_ONE_SHOT) != 0;
    found.isMutable = (flags & PendingIntent.FLAG_IMMUTABLE) == 0;
    return found.sender;
  }

  private IIntentSender sender() {
    BinderStub stub = new BinderStub();
    IIntentSender sender = (IIntentSender) stub.as(IIntentSender.class);
    // Before API 26 the sender itself is asked to send.
    stub.on("send", call -> send(senders.get(sender.asBinder()), call));
    return sender;
  }

  private synchronized Object cancel(Pending pending) {
    if (pending != null) {
      pending.isCancelled = true;
      known.remove(pending.key);
    }
    return null;
  }

  private Object send(Pending pending, BinderCall call) {
    if (pending == null || pending.isCancelled) {
      return CANCELED;
    }
    int code = call.number(0);
    Intent intent = filled(pending, call.first(Intent.class));
    run(pending, intent, code, null, null, -1);
    IIntentReceiver finishedReceiver = call.first(IIntentReceiver.class);
    if (finishedReceiver != null) {
      FrameworkCalls.call(
          finishedReceiver, "performReceive", intent, code, null, null, false, false, 0);
    }
    return 0;
  }

  /** Answers Activity.startIntentSenderForResult. */
  private Object startForResult(BinderCall call) {
    IntentSender wrapped = call.first(IntentSender.class);
    Pending pending =
        wrapped == null
            ? pending(call)
            : senders.get(((IIntentSender) FrameworkFields.get(wrapped, "mTarget")).asBinder());
    if (pending == null || pending.isCancelled) {
      return CANCELED;
    }
    IBinder to = null;
    for (int i = 0; i < 2 && tasks.record(to) == null; i++) {
      to = call.nth(IBinder.class, i);
    }
    Intent intent = filled(pending, call.first(Intent.class));
    run(pending, intent, 0, tasks.record(to), call.last(String.class), call.number(0));
    return 0;
  }

  private void run(
      Pending pending, Intent intent, int code, ActivityRecord caller, String who, int request) {
    if (pending.isOneShot) {
      cancel(pending);
    }
    switch (pending.key.type) {
      case BROADCAST -> broadcasts.send(intent, false);
      case ACTIVITY -> {
        for (int i = 0; i < pending.intents.length - 1; i++) {
          tasks.start(null, new Intent(pending.intents[i]), null, -1);
        }
        tasks.start(caller, intent, who, request);
      }
      case RESULT -> {
        ActivityRecord to = tasks.record(pending.key.to);
        if (to != null) {
          tasks.deliverResult(to, pending.who, pending.key.requestCode, code, intent);
        }
      }
      default -> services.accept(intent);
    }
  }

  private static Intent filled(Pending pending, Intent fill) {
    Intent intent = new Intent(last(pending));
    if (fill != null && pending.isMutable) {
      intent.fillIn(fill, 0);
    }
    return intent;
  }

  private static Intent last(Pending pending) {
    return pending.intents == null || pending.intents.length == 0
        ? new Intent()
        : pending.intents[pending.intents.length - 1];
  }

  private Pending pending(BinderCall call) {
    IIntentSender sender = call.first(IIntentSender.class);
    return sender == null ? null : senders.get(sender.asBinder());
  }
}
