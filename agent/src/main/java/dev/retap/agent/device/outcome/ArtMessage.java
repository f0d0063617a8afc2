// The messages of exceptions that the virtual machine itself makes, in the words of Android's. A
// message that cannot be told for certain stays as it is.
package dev.retap.agent.device.outcome;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.robolectric.RuntimeEnvironment;

public final class ArtMessage {
  /** The first level whose lists have the JDK's words. */
  private static final int FIRST_WITH_NEW_LISTS = 34;

  /** The exceptions that the virtual machine makes, or a list or a string. */
  private static final Set<Class<?>> TYPES =
      Set.of(
          ArithmeticException.class,
          ArrayIndexOutOfBoundsException.class,
          ClassCastException.class,
          IndexOutOfBoundsException.class,
          NullPointerException.class,
          StringIndexOutOfBoundsException.class);

  /** Begins the names of their classes. */
  private static final String MACHINE = "java.lang.";

  private static final Pattern INDEX =
      Pattern.compile("Index (-?\\d+) out of bounds for length (\\d+)");
  private static final Pattern CAST =
      Pattern.compile("class (\\S+) cannot be cast to class (\\S+)(?s:.*)");

  private ArtMessage() {}

  /** Returns true for an exception of a kind that the virtual machine makes. */
  public static boolean isOfMachine(Throwable thrown) {
    return thrown != null && TYPES.contains(thrown.getClass());
  }

  /** Returns true if an exception, a cause of it or what it suppressed is of such a kind. */
  public static boolean isWithin(Throwable thrown) {
    return thrown != null && HostLimits.chain(thrown).stream().anyMatch(ArtMessage::isOfMachine);
  }

  /** Returns the message of an exception of the virtual machine as Android words it. */
  public static String of(Throwable thrown) {
    String message = thrown.getMessage();
    if (message == null) {
      return null;
    }
    try {
      return translate(thrown, message);
    } catch (RuntimeException | LinkageError e) {
      // The app's classes may be broken, or not there yet.
      return message;
    }
  }

  /** Returns what toString tells of any exception on Android. */
  static String text(Throwable thrown) {
    return isOfMachine(thrown) ? textOfMachine(thrown) : withCauses(thrown, thrown.toString());
  }

  /** Returns what toString tells of an exception of the virtual machine on Android. */
  public static String textOfMachine(Throwable thrown) {
    String message = of(thrown);
    String type = thrown.getClass().getName();
    return message == null ? type : type + ": " + message;
  }

  /**
   * Returns what an exception tells, with the texts of its causes in it as Android words them: the
   * one that wraps another often repeats it.
   */
  public static String withCauses(Throwable thrown, String text) {
    if (text == null || !text.contains(MACHINE)) {
      return text;
    }
    String told = text;
    for (Throwable each : HostLimits.chain(thrown)) {
      if (isOfMachine(each)) {
        told = told.replace(each.toString(), textOfMachine(each));
      }
    }
    return told;
  }

  private static String translate(Throwable thrown, String message) {
    int level = RuntimeEnvironment.getApiLevel();
    if (thrown instanceof NullPointerException) {
      return NullMessage.of(message, thrown.getStackTrace(), loader(), level);
    }
    if (thrown instanceof StringIndexOutOfBoundsException) {
      return StringMessage.of(message, thrown.getStackTrace(), level);
    }
    if (thrown.getClass() == IndexOutOfBoundsException.class) {
      return level < FIRST_WITH_NEW_LISTS && isFromList(thrown) ? ofList(message) : message;
    }
    return ofValue(thrown, message);
  }

  /** Returns the loader of the app's classes. Before the app has one, it is that of the caller. */
  private static ClassLoader loader() {
    ClassLoader own = Thread.currentThread().getContextClassLoader();
    // The method that gives the application may wait for the main thread to make it.
    return own instanceof ClassFiles || RuntimeEnvironment.application == null
        ? own
        : RuntimeEnvironment.application.getClassLoader();
  }

  /** Translates the message of a wrong division, index or cast. */
  static String ofValue(Throwable thrown, String message) {
    if (thrown instanceof ArithmeticException) {
      return message.equals("/ by zero") ? "divide by zero" : message;
    }
    if (thrown instanceof ArrayIndexOutOfBoundsException) {
      Matcher index = INDEX.matcher(message);
      return index.matches() ? "length=" + index.group(2) + "; index=" + index.group(1) : message;
    }
    Matcher cast = CAST.matcher(message);
    return cast.matches()
        ? pretty(cast.group(1)) + " cannot be cast to " + pretty(cast.group(2))
        : message;
  }

  static String ofList(String message) {
    Matcher index = INDEX.matcher(message);
    return index.matches() ? "Index: " + index.group(1) + ", Size: " + index.group(2) : message;
  }

  /** Returns true if a list of the JDK refused an index. */
  private static boolean isFromList(Throwable thrown) {
    for (StackTraceElement frame : thrown.getStackTrace()) {
      String type = frame.getClassName();
      if (!type.startsWith("jdk.") && !type.equals("java.util.Objects")) {
        return type.startsWith("java.util.ArrayList");
      }
    }
    return false;
  }

  /** Returns the name of a class as source code has it. */
  private static String pretty(String name) {
    int dimensions = name.lastIndexOf('[') + 1;
    if (dimensions == 0) {
      return name;
    }
    String element =
        switch (name.charAt(dimensions)) {
          case 'Z' -> "boolean";
          case 'B' -> "byte";
          case 'C' -> "char";
          case 'S' -> "short";
          case 'I' -> "int";
          case 'J' -> "long";
          case 'F' -> "float";
          case 'D' -> "double";
          default -> name.substring(dimensions + 1, name.length() - 1);
        };
    return element + "[]".repeat(dimensions);
  }
}
