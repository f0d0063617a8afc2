// Android has no modules: an app may make any member accessible by reflection, and libraries do.
// What the agent itself relies on stays closed.
package dev.retap.agent.world.jdk;

import dev.retap.agent.world.Scheduler;

public final class OpenMembers {
  private static final String[] CLOSED = {"jdk.", "sun.misc.", "sun.nio."};

  private OpenMembers() {}

  /** Returns true if the current thread is the app's and may open the members of the class. */
  public static boolean areOpen(Class<?> declaring) {
    if (!Scheduler.isAppThread()) {
      return false;
    }
    for (String prefix : CLOSED) {
      if (declaring.getName().startsWith(prefix)) {
        return false;
      }
    }
    return true;
  }
}
