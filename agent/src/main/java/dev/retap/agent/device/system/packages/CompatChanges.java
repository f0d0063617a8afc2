// Behaviour that Android changes only for apps built for a newer release. The table of releases
// is not part of the framework's classes. A few changes that matter are listed; every other
// change counts as new in the release that runs.
package dev.retap.agent.device.system.packages;

import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.world.jdk.FormatStrings;
import dev.retap.agent.world.libcore.IcuPattern;
import java.lang.reflect.Proxy;
import java.util.Map;

public final class CompatChanges {
  private static final int FIRST_API_LEVEL = 31;

  /** The last target whose splits begin with a blank part at an empty match. */
  private static final int LAST_WITH_BLANKS = 28;

  private static final int STRICT_FORMATS = 35;

  /** Change ids and the first target SDK that gets them. */
  private static final Map<Long, Integer> SINCE =
      Map.ofEntries(
          Map.entry(119147584L, 30), // clearing preferences is told to listeners
          Map.entry(147798919L, 30), // the system shows plain toasts
          Map.entry(150935354L, 30), // a provider of places is asked with permission only
          Map.entry(160794467L, 31), // a pending intent must declare if it is mutable
          Map.entry(171228096L, 31), // edges stretch
          Map.entry(78294732L, 33), // a result arrives immediately before resume
          Map.entry(194532703L, 33), // a job that fetches ahead has no deadline
          Map.entry(236704164L, 34), // a mutable pending intent must name its receiver
          Map.entry(161145287L, 34), // a receiver must declare if it is exported
          Map.entry(309578419L, 35), // windows extend behind the system bars
          Map.entry(330902016L, 35)); // calls need the feature of telephony

  private CompatChanges() {}

  /** Answers the framework's questions about changes for an app with this target. */
  public static void install(int targetSdk, int apiLevel) {
    IcuPattern.setKeepsBlanks(Math.min(targetSdk, apiLevel) <= LAST_WITH_BLANKS);
    FormatStrings.setStrict(Math.min(targetSdk, apiLevel) >= STRICT_FORMATS);
    if (apiLevel < FIRST_API_LEVEL) {
      return;
    }
    Class<?> type = FrameworkCalls.type("android.compat.Compatibility$BehaviorChangeDelegate");
    Object delegate =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                method.getReturnType() == boolean.class && arguments != null
                    ? targetSdk >= SINCE.getOrDefault((Long) arguments[0], apiLevel)
                    : FrameworkCalls.zero(method.getReturnType()));
    FrameworkCalls.callStatic(
        "android.compat.Compatibility", "setBehaviorChangeDelegate", delegate);
  }
}
