// The methods of the framework that a shadow plays, as far as they were called: a value that one of
// them returned may not be what a phone returns.
package dev.retap.agent.shadow;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

public final class BoundShadows {
  private static final Set<String> METHODS = ConcurrentHashMap.newKeySet();

  private BoundShadows() {}

  static void note(Class<?> owner, String method, boolean isShadowed) {
    if (isShadowed) {
      METHODS.add(owner.getName() + "." + method);
    }
  }

  /** Returns true if a shadow plays this method, given as class.method. */
  public static boolean contains(String method) {
    return METHODS.contains(method);
  }
}
