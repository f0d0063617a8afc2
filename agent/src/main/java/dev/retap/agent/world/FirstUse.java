// What the framework does once, when a process first uses a class of it. Worlds come and go within one
// process, so it must not show in the world that happens to be the first.
package dev.retap.agent.world;

public final class FirstUse {
  private static final StackWalker STACK = StackWalker.getInstance();

  private FirstUse() {}

  /** Lines of the log that are not the app's, or there only the first time. */
  public static boolean unwantedLog() {
    return !Chance.mine() || STACK.walk(frames -> frames.anyMatch(FirstUse::initialises));
  }

  private static boolean initialises(StackWalker.StackFrame frame) {
    String type = frame.getClassName();
    return frame.getMethodName().equals("<clinit>")
        && (type.startsWith("android.") || type.startsWith("com.android."));
  }
}
