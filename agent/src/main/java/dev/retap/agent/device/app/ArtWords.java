// The messages of exceptions that the virtual machine itself makes, as Android's words them, for
// code of the app that asks an exception for its text. Messages that need more than the exception
// tells, such as those about fields, stay as they are.
package dev.retap.agent.device.app;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.robolectric.RuntimeEnvironment;

public final class ArtWords {
  /** The first level whose lists have the JDK's words. */
  private static final int FIRST_WITH_NEW_LISTS = 34;

  private static final Pattern INDEX =
      Pattern.compile("Index (-?\\d+) out of bounds for length (\\d+)");
  private static final Pattern CAST =
      Pattern.compile("class (\\S+) cannot be cast to class (\\S+)(?s:.*)");
  private static final Pattern CALL =
      Pattern.compile("Cannot invoke \"([\\w.$]+)\\.([\\w$]+)\\(([^)]*)\\)\"(?s:.*)");

  private ArtWords() {}

  public static String getMessage(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? null : translate(thrown, message);
  }

  public static String getLocalizedMessage(Throwable thrown) {
    return isOfMachine(thrown) ? getMessage(thrown) : thrown.getLocalizedMessage();
  }

  public static String toString(Throwable thrown) {
    String message = isOfMachine(thrown) ? getMessage(thrown) : null;
    return message == null ? thrown.toString() : thrown.getClass().getName() + ": " + message;
  }

  /** Returns true for an exception that the virtual machine makes, or a list. */
  private static boolean isOfMachine(Throwable thrown) {
    Class<?> type = thrown.getClass();
    return type == ArithmeticException.class
        || type == ArrayIndexOutOfBoundsException.class
        || type == ClassCastException.class
        || type == IndexOutOfBoundsException.class
        || type == NullPointerException.class;
  }

  private static String translate(Throwable thrown, String message) {
    if (!isOfMachine(thrown)) {
      return message;
    }
    if (thrown instanceof NullPointerException) {
      return ofNull(message, RuntimeEnvironment.getApplication().getClassLoader());
    }
    if (thrown.getClass() == IndexOutOfBoundsException.class) {
      boolean isOld = RuntimeEnvironment.getApiLevel() < FIRST_WITH_NEW_LISTS;
      return isOld && isFromList(thrown) ? ofList(message) : message;
    }
    return ofValue(thrown, message);
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

  /** Translates the message of a call on null, or of an array that is null. */
  static String ofNull(String message, ClassLoader loader) {
    if (message.startsWith("Cannot read the array length")) {
      return "Attempt to get length of null array";
    }
    if (message.matches("Cannot load from \\S+ array(?s:.*)")) {
      return "Attempt to read from null array";
    }
    if (message.matches("Cannot store to \\S+ array(?s:.*)")) {
      return "Attempt to write to null array";
    }
    Matcher call = CALL.matcher(message);
    if (!call.matches()) {
      return message;
    }
    try {
      Class<?> owner = Class.forName(full(call.group(1)), false, loader);
      Method method = find(owner, call.group(2), call.group(3));
      return method == null ? message : ofCall(owner, method);
    } catch (ClassNotFoundException | LinkageError e) {
      return message;
    }
  }

  private static String ofCall(Class<?> owner, Method method) {
    String kind =
        owner.isInterface()
            ? "interface"
            : Modifier.isPrivate(method.getModifiers()) ? "direct" : "virtual";
    return "Attempt to invoke %s method '%s %s.%s(%s)' on a null object reference"
        .formatted(
            kind,
            method.getReturnType().getTypeName(),
            owner.getTypeName(),
            method.getName(),
            parameters(method, ", "));
  }

  /** Finds the method that a call names; of several with one name and parameters, the plain one. */
  private static Method find(Class<?> owner, String name, String parameters) {
    String wanted =
        Arrays.stream(parameters.split(", *")).map(ArtWords::full).collect(Collectors.joining(","));
    List<Class<?>> open = new ArrayList<>(List.of(owner));
    for (int i = 0; i < open.size(); i++) {
      for (Method method : open.get(i).getDeclaredMethods()) {
        if (method.getName().equals(name)
            && !method.isBridge()
            && parameters(method, ",").equals(wanted)) {
          return method;
        }
      }
      if (open.get(i).getSuperclass() != null) {
        open.add(open.get(i).getSuperclass());
      }
      open.addAll(Arrays.asList(open.get(i).getInterfaces()));
    }
    return owner.isInterface() ? find(Object.class, name, parameters) : null;
  }

  private static String parameters(Method method, String separator) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getTypeName)
        .collect(Collectors.joining(separator));
  }

  /** Returns the whole name of a class; the JVM shortens two of them. */
  private static String full(String name) {
    return name.matches("(String|Object)(\\[\\])*") ? "java.lang." + name : name;
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
