// What an app that nobody sees may do with services: after a while it starts none, and those that
// it has started are stopped. A service in the foreground makes it as good as seen.
package dev.retap.agent.device.system.activity;

import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ServiceInfo;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import dev.retap.agent.device.system.packages.ForegroundRules;
import java.util.function.BooleanSupplier;

public final class ServiceLimits {
  private static final int FIRST = 26;
  private static final int FIRST_FOR_FOREGROUND = 31;

  private final DeclaredComponents components;
  private final ForegroundRules rules;
  private final AppVisibility visibility;
  private final BooleanSupplier hasForeground;

  public ServiceLimits(
      DeclaredComponents components,
      ForegroundRules rules,
      AppVisibility visibility,
      BooleanSupplier hasForeground) {
    this.components = components;
    this.rules = rules;
    this.visibility = visibility;
    this.hasForeground = hasForeground;
  }

  /** Returns true if the app has been unseen for too long to start or keep services. */
  public boolean isIdle() {
    return rules.level() >= FIRST && visibility.isIdle() && !hasForeground.getAsBoolean();
  }

  /** Returns what the framework makes an exception of, or null if the service may start. */
  public ComponentName refusal(Intent intent) {
    return isIdle() && components.service(intent) != null
        ? new ComponentName("?", "app is in background uid UidRecord{0 idle}")
        : null;
  }

  /** Throws if the app may not start a service for the foreground now. */
  public void checkForeground(Intent intent) {
    ServiceInfo service = components.service(intent);
    if (rules.level() < FIRST_FOR_FOREGROUND
        || service == null
        || hasForeground.getAsBoolean()
        || visibility.mayStartForeground()) {
      return;
    }
    ComponentName name = new ComponentName(service.packageName, service.name);
    Object refusal =
        FrameworkCalls.construct(
            FrameworkCalls.type("android.app.ForegroundServiceStartNotAllowedException"),
            "startForegroundService() not allowed due to mAllowStartForeground false: service "
                + name.flattenToShortString());
    throw BinderStub.trimmed((RuntimeException) refusal);
  }
}
