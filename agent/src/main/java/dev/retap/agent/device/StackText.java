// A throwable as a phone prints it: without the JDK's module names, the ways reflection takes (which
// change as the JVM warms up) and the host's own frames, so that a crash reads the same in every run.
package dev.retap.agent.device;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

final class StackText {
  private static final String[] HOST = {
    "jdk.internal.", "java.lang.invoke.", "org.robolectric.", "dev.retap.agent.", "sun.reflect."
  };

  private final StringBuilder text = new StringBuilder();
  private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private StackText() {}

  static String of(Throwable thrown) {
    StackText printer = new StackText();
    printer.append(thrown, "", "", List.of());
    return printer.text.toString();
  }

  private void append(
      Throwable thrown, String indent, String caption, List<String> enclosing) {
    text.append(indent).append(caption).append(thrown).append('\n');
    if (!seen.add(thrown)) {
      return;
    }
    List<String> frames = frames(thrown.getStackTrace());
    int own = frames.size();
    int outer = enclosing.size();
    while (own > 0 && outer > 0 && frames.get(own - 1).equals(enclosing.get(outer - 1))) {
      own--;
      outer--;
    }
    for (String frame : frames.subList(0, own)) {
      text.append(indent).append("\tat ").append(frame).append('\n');
    }
    if (own < frames.size()) {
      text.append(indent).append("\t... ").append(frames.size() - own).append(" more\n");
    }
    for (Throwable suppressed : thrown.getSuppressed()) {
      append(suppressed, indent + "\t", "Suppressed: ", frames);
    }
    if (thrown.getCause() != null) {
      append(thrown.getCause(), indent, "Caused by: ", frames);
    }
  }

  static List<String> frames(StackTraceElement[] stack) {
    List<String> frames = new ArrayList<>();
    for (StackTraceElement frame : stack) {
      String type = frame.getClassName();
      String method = frame.getMethodName();
      if (isHost(type) || type.contains("$$Lambda$") && frame.getFileName() == null) {
        continue;
      }
      String where =
          type.equals("java.lang.reflect.Method") || frame.isNativeMethod()
              ? "Native Method"
              : frame.getFileName() == null
                  ? "Unknown Source"
                  : frame.getLineNumber() < 0
                      ? frame.getFileName()
                      : frame.getFileName() + ":" + frame.getLineNumber();
      String line = type + "." + original(method) + "(" + where + ")";
      // The host splits a framework method in two; a phone has one.
      if (frames.isEmpty() || !method.startsWith("$$robo$$") && !sameMethod(frames, type, method)
          || method.startsWith("$$robo$$")) {
        frames.add(line);
      }
    }
    return frames;
  }

  /** The instrumented half that calls the original has its name and no line of its own. */
  private static boolean sameMethod(List<String> frames, String type, String method) {
    String last = frames.get(frames.size() - 1);
    return type.startsWith("android.") && last.startsWith(type + "." + method + "(");
  }

  private static String original(String method) {
    return method.startsWith("$$robo$$") ? method.substring(method.lastIndexOf('$') + 1) : method;
  }

  private static boolean isHost(String type) {
    for (String prefix : HOST) {
      if (type.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }
}
