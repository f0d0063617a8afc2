// Tells a fault of the code that replaces the JDK's from what that code answers to the app: it
// throws in a phone's words if the app passes it null, a wrong number or a closed file.
package dev.retap.agent.device.outcome;

import java.util.ConcurrentModificationException;
import java.util.NoSuchElementException;
import java.util.regex.Pattern;

final class WorldFaults {
  private static final String WORLD = "dev.retap.agent.world.";

  /** The part that reads texts; it never passes an index of the app on. */
  private static final String READERS = WORLD + "libcore.";

  /**
   * Ends the message about a null that the code itself made: one of its fields, or what a method
   * gave it. A plain name may be the argument that the app passed.
   */
  private static final Pattern OWN_NULL =
      Pattern.compile("because (\"[\\w$.\\[\\]]*[.\\[][^\"]*\" is null|the return value of )");

  private WorldFaults() {}

  /** Returns where such code failed, as class.method, or null if it did not. */
  static String place(Throwable thrown) {
    for (StackTraceElement frame : thrown.getStackTrace()) {
      String type = frame.getClassName();
      if (type.startsWith(WORLD)) {
        return isFault(thrown, type) ? type + "." + frame.getMethodName() : null;
      }
      if (!CodeOrigin.isOfJdk(type)) {
        return null;
      }
    }
    return null;
  }

  private static boolean isFault(Throwable thrown, String type) {
    if (thrown instanceof NullPointerException) {
      return OWN_NULL.matcher(String.valueOf(thrown.getMessage())).find();
    }
    if (thrown instanceof IndexOutOfBoundsException) {
      return type.startsWith(READERS);
    }
    return thrown instanceof ClassCastException
        || thrown instanceof ConcurrentModificationException
        || thrown instanceof NoSuchElementException
        || thrown instanceof ReflectiveOperationException
        || thrown instanceof AssertionError
        || thrown instanceof LinkageError && !(thrown instanceof UnsatisfiedLinkError)
        || thrown.getClass() == RuntimeException.class
        || thrown.getClass() == Error.class;
  }
}
