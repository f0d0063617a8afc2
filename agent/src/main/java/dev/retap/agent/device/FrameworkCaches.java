// Classes the framework remembers by name for as long as a process lives. Here it outlives the
// app's, so they are forgotten before the next one starts with classes of its own.
package dev.retap.agent.device;

import java.util.Map;

final class FrameworkCaches {
  private static final String[][] CACHES = {
    {"android.app.Fragment", "sClassMap"},
    {"android.view.LayoutInflater", "sConstructorMap"},
    {"android.preference.GenericInflater", "sConstructorMap"},
    {"android.transition.TransitionInflater", "sConstructors"},
    {"android.graphics.drawable.DrawableInflater", "CONSTRUCTOR_MAP"},
  };

  private FrameworkCaches() {}

  static void clear() {
    for (String[] cache : CACHES) {
      Class<?> owner = ByType.type(cache[0]);
      if (ByType.hasField(owner, cache[1])) {
        ((Map<?, ?>) ByType.getStatic(owner, cache[1])).clear();
      }
    }
  }
}
