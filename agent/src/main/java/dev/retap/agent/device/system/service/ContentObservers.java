// The part of the content service that tells observers of changes: those of the address that
// changed, of any address above it if they watch what is below, and of every address below it.
package dev.retap.agent.device.system.service;

import android.content.ContentResolver;
import android.database.IContentObserver;
import android.net.Uri;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

public final class ContentObservers {
  /** An observer and what it watches. */
  private record Registration(WatchedContent content, IContentObserver observer) {}

  private final List<Registration> watches = new ArrayList<>();
  private final List<Consumer<Uri>> listeners = new ArrayList<>();
  private final boolean inGroups;

  public ContentObservers(int apiLevel) {
    inGroups = apiLevel >= 30;
  }

  /** Tells the listener of every address that changes. */
  public void onChange(Consumer<Uri> listener) {
    listeners.add(listener);
  }

  public void install() {
    new BinderStub()
        .on("registerContentObserver", this::register)
        .on("unregisterContentObserver", this::unregister)
        .on("notifyChange", this::changed)
        .publish("content", "android.content.IContentService");
    FrameworkFields.setStatic(ContentResolver.class, "sContentService", null);
  }

  private synchronized Object register(BinderCall call) {
    IContentObserver observer = call.first(IContentObserver.class);
    if (observer == null || call.first(Uri.class) == null) {
      throw new IllegalArgumentException("You must pass a valid uri and observer");
    }
    watches.add(
        new Registration(new WatchedContent(call.first(Uri.class), call.flag(0)), observer));
    return null;
  }

  private synchronized Object unregister(BinderCall call) {
    IContentObserver observer = call.first(IContentObserver.class);
    if (observer == null) {
      throw new IllegalArgumentException("You must pass a valid observer");
    }
    watches.removeIf(watch -> watch.observer.asBinder() == observer.asBinder());
    return null;
  }

  private Object changed(BinderCall call) {
    Uri[] group = call.first(Uri[].class);
    IContentObserver own = call.first(IContentObserver.class);
    boolean wantsOwn = call.flag(0);
    int flags = call.number(0);
    for (Uri uri : group == null ? new Uri[] {call.first(Uri.class)} : group) {
      for (Registration watch : seeing(uri)) {
        boolean isOwn = own != null && watch.observer.asBinder() == own.asBinder();
        if (!isOwn || wantsOwn) {
          tell(watch.observer, isOwn, uri, flags);
        }
      }
      listeners.forEach(listener -> listener.accept(uri));
    }
    return null;
  }

  private synchronized List<Registration> seeing(Uri changed) {
    return watches.stream().filter(watch -> watch.content.sees(changed)).toList();
  }

  private void tell(IContentObserver observer, boolean isOwn, Uri uri, int flags) {
    if (inGroups) {
      FrameworkCalls.call(observer, "onChangeEtc", isOwn, new Uri[] {uri}, flags, 0);
    } else {
      FrameworkCalls.call(observer, "onChange", isOwn, uri, 0);
    }
  }
}
