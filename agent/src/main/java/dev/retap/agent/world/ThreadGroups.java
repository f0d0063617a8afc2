// The groups of threads. The app's are in a tree of their own, from which no way leads to the
// host's.
package dev.retap.agent.world;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;

public final class ThreadGroups {
  /** The group of the host's threads: of the thread that uses this class first. */
  private static final ThreadGroup HOST = Thread.currentThread().getThreadGroup();

  private static final ThreadGroup APP = makeAppGroup();

  /** The JDK's own methods that list every thread, which ART does not have. */
  private static final Set<String> LISTS = Set.of("getThreads", "getAllThreads", "dumpThreads");

  private ThreadGroups() {}

  /** Returns the group for a thread of the host that a thread of the app starts. */
  public static ThreadGroup host() {
    return HOST;
  }

  /** Returns the group of the app's main thread, called as on a phone. */
  public static ThreadGroup app() {
    return APP;
  }

  /** Returns the methods of Thread without those that list every thread. */
  static Method[] visible(Method[] methods) {
    int kept = 0;
    Method[] visible = new Method[methods.length];
    for (Method method : methods) {
      if (!LISTS.contains(method.getName())) {
        visible[kept++] = method;
      }
    }
    return Arrays.copyOf(visible, kept);
  }

  private static ThreadGroup makeAppGroup() {
    try {
      // The JDK's own way to make its root, which has no parent.
      Constructor<ThreadGroup> root = ThreadGroup.class.getDeclaredConstructor();
      root.setAccessible(true);
      return new ThreadGroup(root.newInstance(), "main");
    } catch (ReflectiveOperationException | RuntimeException e) {
      // A JDK without that constructor: the app's threads are a branch of the host's tree.
      return new ThreadGroup(HOST, "main");
    }
  }
}
