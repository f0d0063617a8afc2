// The app's own content providers as another process of the app reaches them.
package dev.retap.agent.device.process;

import android.app.ActivityThread;
import android.content.Context;
import android.content.pm.ProviderInfo;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;

public final class ProcessProviders {
  private final AppProcesses processes;

  public ProcessProviders(AppProcesses processes) {
    this.processes = processes;
  }

  /** Returns the holder of the provider that is asked for, or null if it is none of the app's. */
  public Object holder(BinderCall call) {
    String authority = call.last(String.class);
    if (!processes.areDeclared() || authority == null) {
      return null;
    }
    Context context = processes.main().context();
    ProviderInfo info = context.getPackageManager().resolveContentProvider(authority, 0);
    if (info == null || !info.packageName.equals(context.getPackageName())) {
      return null;
    }
    OtherProcess owner = processes.of(info);
    if (owner == processes.caller(call)) {
      // It looks for its own before it asks, so this one has none.
      return null;
    }
    if (owner != null) {
      owner.start();
    }
    ActivityThread thread = processes.thread(owner);
    Object provider =
        FrameworkCalls.call(thread, "acquireExistingProvider", context, authority, 0, false);
    return provider == null ? null : holder(call.method().getReturnType(), info, provider);
  }

  private static Object holder(Class<?> type, ProviderInfo info, Object provider) {
    try {
      Object holder = type.getConstructor(ProviderInfo.class).newInstance(info);
      FrameworkFields.set(holder, "provider", provider);
      FrameworkFields.set(holder, "noReleaseNeeded", true);
      return holder;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("ContentProviderHolder", e);
    }
  }
}
