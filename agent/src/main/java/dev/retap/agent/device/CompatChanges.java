// Behaviour that Android changes only for apps built for a newer release. The table of releases is
// not part of the framework's classes: a few that matter are listed, every other counts as new in
// the release that runs.
package dev.retap.agent.device;

import dev.retap.agent.world.Formats;
import java.lang.reflect.Proxy;
import java.util.Map;

final class CompatChanges {
  private static final int FIRST_API_LEVEL = 31;
  private static final int STRICT_FORMATS = 35;

  /** Change ids and the first target that gets them. */
  private static final Map<Long, Integer> SINCE =
      Map.of(
          160794467L, 31, // a pending intent must say whether it can be changed
          236704164L, 34, // a pending intent that can be changed must name its receiver
          161145287L, 34, // a receiver must say whether it is exported
          309578419L, 35); // windows reach under the bars

  private CompatChanges() {}

  static void install(int targetSdk, int apiLevel) {
    Formats.setStrict(Math.min(targetSdk, apiLevel) >= STRICT_FORMATS);
    if (apiLevel < FIRST_API_LEVEL) {
      return;
    }
    Class<?> type = ByType.type("android.compat.Compatibility$BehaviorChangeDelegate");
    Object delegate =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                method.getReturnType() == boolean.class && arguments != null
                    ? targetSdk >= SINCE.getOrDefault((Long) arguments[0], apiLevel)
                    : ByType.zero(method.getReturnType()));
    ByType.callStatic("android.compat.Compatibility", "setBehaviorChangeDelegate", delegate);
  }
}
