// The shadows of this package.
package dev.retap.agent.shadow.system;

import java.util.List;

public final class SystemShadows {
  private SystemShadows() {}

  public static List<Class<?>> all() {
    return List.of(
        AccessibilityManagerShadow.class,
        BinderProxyShadow.class,
        BinderShadow.class,
        ClipboardManagerShadow.class,
        DebugShadow.class,
        DexFileShadow.class,
        EventLogShadow.class,
        HandlerThreadShadow.class,
        HandlerThreadShadow.Background.class,
        MemoryFileShadow.class,
        PowerManagerShadow.class,
        ProcessShadow.class,
        UiAutomationShadow.class);
  }

  /** Forgets what the shadows keep of a process. */
  public static void reset() {
    AccessibilityManagerShadow.forget();
    EventLogShadow.forget();
    HandlerThreadShadow.forget();
  }
}
