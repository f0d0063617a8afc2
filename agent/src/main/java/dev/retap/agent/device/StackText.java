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

  /** Where a step begins; what lies below is not the app's. */
  private static final String BOTTOM = "dev.retap.agent.device.EmbeddedPhone";

  /** Before the name of the real half: this, the class, and a dollar. */
  private static final String REAL = "$$robo$$";

  private static final String REFLECTION = "java.lang.reflect.Method.invoke(Native Method)";

  private final StringBuilder text = new StringBuilder();
  private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private StackText() {}

  static String of(Throwable thrown) {
    StackText printer = new StackText();
    printer.append(thrown, "", "", List.of());
    return HostNames.hide(printer.text.toString());
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
      if (type.startsWith(BOTTOM)) {
        break;
      }
      if (isWrapper(frame)) {
        // The host reached the method behind it by reflection.
        if (!frames.isEmpty() && frames.get(frames.size() - 1).equals(REFLECTION)) {
          frames.remove(frames.size() - 1);
        }
      } else if (!isHost(type)) {
        frames.add(type + "." + original(frame.getMethodName()) + "(" + where(frame) + ")");
      }
    }
    return frames;
  }

  private static String where(StackTraceElement frame) {
    if (frame.isNativeMethod() || frame.getClassName().equals("java.lang.reflect.Method")) {
      return "Native Method";
    }
    if (frame.getFileName() == null) {
      return "Unknown Source";
    }
    return frame.getLineNumber() < 0
        ? frame.getFileName()
        : frame.getFileName() + ":" + frame.getLineNumber();
  }

  /** The half of a framework method that the host put before the real one; it has no line. */
  private static boolean isWrapper(StackTraceElement frame) {
    String type = frame.getClassName();
    return (type.startsWith("android.") || type.startsWith("com.android."))
        && frame.getLineNumber() < 0
        && !frame.isNativeMethod();
  }

  private static String original(String method) {
    return method.startsWith(REAL) ? method.substring(method.indexOf('$', REAL.length()) + 1) : method;
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
