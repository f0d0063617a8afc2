// The message of an exception about null, in Android's words. The JVM tells what was null; Android
// tells what was tried with it.
package dev.retap.agent.device.outcome;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

final class NullMessage {
  /** The first level that says nothing of null that is thrown. */
  private static final int FIRST_WITHOUT_THROW = 30;

  private static final Pattern CALL =
      Pattern.compile("Cannot invoke \"([^\"(]+)\\.([^\".(]+)\\(([^\")]*)\\)\"(?s:.*)");

  private NullMessage() {}

  /**
   * Translates the message.
   *
   * @param loader finds the classes that the message and the stack name
   * @param level the API level
   */
  static String of(String message, StackTraceElement[] stack, ClassLoader loader, int level) {
    if (message.startsWith("Cannot read the array length")) {
      return "Attempt to get length of null array";
    }
    if (message.matches("Cannot load from \\S+ array(?s:.*)")) {
      return "Attempt to read from null array";
    }
    if (message.matches("Cannot store to \\S+ array(?s:.*)")) {
      return "Attempt to write to null array";
    }
    if (message.startsWith("Cannot enter synchronized block")) {
      return "Null reference used for synchronization (monitor-enter)";
    }
    if (message.startsWith("Cannot throw exception")) {
      return level < FIRST_WITHOUT_THROW ? "throw with null exception" : null;
    }
    try {
      Matcher call = CALL.matcher(message);
      if (call.matches()) {
        Class<?> owner = Class.forName(full(call.group(1)), false, loader);
        Method method = find(owner, call.group(2), call.group(3));
        return method == null ? message : ofCall(owner, method);
      }
      return stack.length == 0 ? message : FieldMessage.of(message, stack[0], loader, level);
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
        Arrays.stream(parameters.split(", *"))
            .map(NullMessage::full)
            .collect(Collectors.joining(","));
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
}
