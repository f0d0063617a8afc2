// Keeps lines out of the log that another world would not write. The framework logs some things
// once, when a process first uses a class. Many worlds share this process, so those lines would
// appear only in the world that happens to be the first.
package dev.retap.agent.world.jdk;

import dev.retap.agent.world.Scheduler;

public final class LogFilter {
  private static final StackWalker STACK = StackWalker.getInstance();

  private LogFilter() {}

  /**
   * Returns true if the line that is being logged is not the app's, or comes from a class
   * initialiser.
   */
  public static boolean isUnwanted() {
    return !Scheduler.isAppThread()
        || STACK.walk(frames -> frames.anyMatch(LogFilter::isInitialiser));
  }

  private static boolean isInitialiser(StackWalker.StackFrame frame) {
    String type = frame.getClassName();
    return frame.getMethodName().equals("<clinit>")
        && (type.startsWith("android.") || type.startsWith("com.android."));
  }
}
