// The classes of the host, which the app's code does not find by name. They share the process and
// its class loaders, so only the app's own calls are checked.
package dev.retap.agent.world.jdk;

public final class HiddenClasses {
  private static final String[] PREFIXES = {"dev.retap.agent.", "org.robolectric."};

  private HiddenClasses() {}

  /** Returns the name of a class that the app may look for. */
  public static String check(String name) throws ClassNotFoundException {
    for (String prefix : PREFIXES) {
      if (name != null && name.startsWith(prefix)) {
        throw new ClassNotFoundException(name);
      }
    }
    return name;
  }

  public static Class<?> forName(String name, boolean initialize, ClassLoader loader)
      throws ClassNotFoundException {
    return Class.forName(check(name), initialize, loader);
  }
}
