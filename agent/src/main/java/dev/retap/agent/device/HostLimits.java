// Tells a failure of this host from a crash of the app: a native method nobody wrote, a service
// nobody plays, code that could not be translated. Judged by the innermost cause and by where it
// was thrown; when in doubt it is the app's.
package dev.retap.agent.device;

import dev.retap.agent.wire.Observation.Limitation;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class HostLimits {
  /** The call on a binder interface, or the service itself, that gave null. */
  private static final Pattern NO_SERVICE =
      Pattern.compile(
          "because (the return value of \"(android|com\\.android)\\.[\\w.$]*\\bI[A-Z]\\w*\\.\\w+\\("
              + "|\"(this\\.)?[ms]\\w*(Service|Binder)\" is null"
              + "|the return value of \"java\\.lang\\.reflect\\.InvocationHandler)");

  private static final Pattern NULL_RETURNED =
      Pattern.compile("because the return value of \"((?:android|dalvik)\\.[\\w.$]+)\\.(\\w+)\\(");

  private HostLimits() {}

  /** What the host lacks, or null if the app is to blame. */
  static Limitation of(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    String kind = kind(cause);
    return kind == null ? null : new Limitation(kind, cause + place(cause));
  }

  private static String kind(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    String top = top(cause);
    if (cause instanceof UnsatisfiedLinkError) {
      return framework(top) || ofFramework(message) ? "native method" : "native library";
    }
    if (message.startsWith("d2j fail translate")
        || cause instanceof VerifyError
        || cause instanceof ClassFormatError) {
      return "translation";
    }
    if (cause instanceof LinkageError && (host(top) || ofFramework(message))) {
      return "framework method";
    }
    if (message.contains("No service published for")) {
      return "service";
    }
    if (cause instanceof NullPointerException && returnedByNobody(message)) {
      return "native method";
    }
    if (cause instanceof NullPointerException && framework(top)
        && NO_SERVICE.matcher(message).find()) {
      return "service";
    }
    boolean broken =
        cause instanceof NullPointerException
            || cause instanceof UnsupportedOperationException
            || cause instanceof ClassCastException
            || cause instanceof IndexOutOfBoundsException
            || cause instanceof ReflectiveOperationException;
    return broken && host(top) ? "stand-in" : null;
  }

  /** Whether the null came from a native method, which here returns null unless somebody plays it. */
  private static boolean returnedByNobody(String message) {
    Matcher returned = NULL_RETURNED.matcher(message);
    if (!returned.find()) {
      return false;
    }
    try {
      String binding = "$$robo$$" + returned.group(2) + "$nativeBinding";
      Class<?> owner = Class.forName(returned.group(1), false, HostLimits.class.getClassLoader());
      return Arrays.stream(owner.getDeclaredMethods()).anyMatch(m -> m.getName().equals(binding));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** The class of the first frame outside the JDK. */
  private static String top(Throwable cause) {
    for (StackTraceElement frame : cause.getStackTrace()) {
      String name = frame.getClassName();
      if (!name.startsWith("java.") && !name.startsWith("jdk.") && !name.startsWith("sun.")) {
        return name;
      }
    }
    return "";
  }

  private static boolean host(String name) {
    return name.startsWith("org.robolectric.") || name.startsWith("dev.retap.agent.");
  }

  private static boolean framework(String name) {
    return name.startsWith("android.")
        || name.startsWith("com.android.internal.")
        || name.startsWith("dalvik.")
        || name.startsWith("libcore.");
  }

  private static boolean ofFramework(String message) {
    return message.matches("(?s).*\\b(android|dalvik|libcore|com[./]android[./]internal)[./][a-z].*")
        && !message.matches("(?s).*\\bandroid[./]support[./].*");
  }

  private static String place(Throwable cause) {
    StackTraceElement[] frames = cause.getStackTrace();
    return frames.length == 0 ? "" : " at " + frames[0];
  }
}
