// Tells a failure of this host from a crash of the app: a native method without an
// implementation, a service without a stand-in, code that could not be translated. The innermost
// cause and the place where it was thrown decide. In doubt the failure is the app's.
package dev.retap.agent.device.outcome;

import dev.retap.agent.wire.Observation.Limitation;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public final class HostLimits {
  /** Names the binder call, or the service itself, that was null. */
  private static final Pattern NO_SERVICE =
      Pattern.compile(
          "because (the return value of \"(android|com\\.android)\\.[\\w.$]*\\bI[A-Z]\\w*\\.\\w+\\("
              + "|\"(this\\.)?[ms]\\w*(Service|Binder)\" is null"
              + "|the return value of \"java\\.lang\\.reflect\\.InvocationHandler)");

  private static final Pattern NULL_RETURNED =
      Pattern.compile("because the return value of \"((?:android|dalvik)\\.[\\w.$]+)\\.(\\w+)\\(");

  private HostLimits() {}

  /** Returns the missing part of the host that caused the failure, or null if it is the app's. */
  public static Limitation of(Throwable thrown) {
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
      return isFramework(top) || namesFramework(message) ? "native method" : "native library";
    }
    if (message.startsWith("d2j fail translate")
        || cause instanceof VerifyError
        || cause instanceof ClassFormatError) {
      return "translation";
    }
    if (cause instanceof LinkageError && (isHost(top) || namesFramework(message))) {
      return "framework method";
    }
    if (message.contains("No service published for")) {
      return "service";
    }
    if (cause instanceof NullPointerException && isNullOfNativeMethod(message)) {
      return "native method";
    }
    if (cause instanceof NullPointerException
        && isFramework(top)
        && NO_SERVICE.matcher(message).find()) {
      return "service";
    }
    boolean broken =
        cause instanceof NullPointerException
            || cause instanceof UnsupportedOperationException
            || cause instanceof ClassCastException
            || cause instanceof IndexOutOfBoundsException
            || cause instanceof ReflectiveOperationException;
    return broken && isHost(top) ? "stand-in" : null;
  }

  /** Returns true if a native method gave the null: without a shadow it always does. */
  private static boolean isNullOfNativeMethod(String message) {
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

  /** Returns the class of the first frame outside the JDK. */
  private static String top(Throwable cause) {
    for (StackTraceElement frame : cause.getStackTrace()) {
      String name = frame.getClassName();
      if (!name.startsWith("java.") && !name.startsWith("jdk.") && !name.startsWith("sun.")) {
        return name;
      }
    }
    return "";
  }

  private static boolean isHost(String name) {
    return name.startsWith("org.robolectric.") || name.startsWith("dev.retap.agent.");
  }

  private static boolean isFramework(String name) {
    return name.startsWith("android.")
        || name.startsWith("com.android.internal.")
        || name.startsWith("dalvik.")
        || name.startsWith("libcore.");
  }

  private static boolean namesFramework(String message) {
    return message.matches(
            "(?s).*\\b(android|dalvik|libcore|com[./]android[./]internal)[./][a-z].*")
        && !message.matches("(?s).*\\bandroid[./]support[./].*");
  }

  private static String place(Throwable cause) {
    StackTraceElement[] frames = cause.getStackTrace();
    return frames.length == 0 ? "" : " at " + frames[0];
  }
}
