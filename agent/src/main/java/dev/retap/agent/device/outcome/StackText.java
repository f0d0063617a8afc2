// Prints a throwable as a phone does, so that a crash reads the same in every run. It tells what
// the virtual machine says in Android's words. It leaves out the JDK's module names, the frames of
// reflection (which change as the JVM warms up) and the host's own frames.
package dev.retap.agent.device.outcome;

import dev.retap.agent.world.AppStatics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

public final class StackText {
  /**
   * What a phone has no frames of. The JDK's strings keep their letters in two classes of their
   * own.
   */
  private static final String[] HOST = {
    "jdk.internal.",
    "java.lang.StringLatin1",
    "java.lang.StringUTF16",
    "java.lang.invoke.",
    "org.robolectric.",
    "dev.retap.agent.",
    "sun.reflect."
  };

  /** The class that begins a step: frames below it do not belong to the app. */
  private static final String BOTTOM = "dev.retap.agent.device.EmbeddedPhone";

  /** Robolectric's prefix of an original method: this, the class and a dollar. */
  private static final String REAL = "$$robo$$";

  private static final String REFLECTION = "java.lang.reflect.Method.invoke(Native Method)";

  private final StringBuilder text = new StringBuilder();
  private final Set<Throwable> printed = Collections.newSetFromMap(new IdentityHashMap<>());

  private StackText() {}

  /** Returns the throwable as Android prints it. */
  public static String of(Throwable thrown) {
    StackText printer = new StackText();
    printer.append(thrown, "", "", List.of());
    return HostNames.hide(printer.text.toString());
  }

  private void append(Throwable thrown, String indent, String caption, List<String> enclosing) {
    text.append(indent).append(caption).append(ArtMessage.text(thrown)).append('\n');
    if (!printed.add(thrown)) {
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

  /** Returns the frames as Android prints them. */
  public static List<String> frames(StackTraceElement[] stack) {
    List<String> frames = new ArrayList<>();
    boolean wasInitializer = false;
    for (StackTraceElement frame : ofStep(stack)) {
      String type = frame.getClassName();
      if (isWrapper(frame)) {
        // Robolectric calls the original method by reflection.
        if (!frames.isEmpty() && frames.get(frames.size() - 1).equals(REFLECTION)) {
          frames.remove(frames.size() - 1);
        }
      } else if (!isHost(type)) {
        boolean isInitializer = frame.getMethodName().equals(AppStatics.METHOD);
        if (wasInitializer && isInitializer && frame.getLineNumber() < 0) {
          // It lets its parent be initialised, which the JVM does without a frame.
          continue;
        }
        wasInitializer = isInitializer;
        frames.add(type + "." + originalName(frame.getMethodName()) + "(" + position(frame) + ")");
      }
    }
    return frames;
  }

  /** Returns the frames above the one that began the step. */
  static List<StackTraceElement> ofStep(StackTraceElement[] stack) {
    List<StackTraceElement> frames = Arrays.asList(stack);
    for (int i = 0; i < stack.length; i++) {
      if (stack[i].getClassName().startsWith(BOTTOM)) {
        return frames.subList(0, i);
      }
    }
    return frames;
  }

  private static String position(StackTraceElement frame) {
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

  /**
   * Returns true for the wrapper that Robolectric puts before a framework method: it has no line.
   */
  private static boolean isWrapper(StackTraceElement frame) {
    String type = frame.getClassName();
    return (type.startsWith("android.") || type.startsWith("com.android."))
        && frame.getLineNumber() < 0
        && !frame.isNativeMethod();
  }

  static String originalName(String method) {
    if (method.equals(AppStatics.METHOD)) {
      return "<clinit>";
    }
    return method.startsWith(REAL)
        ? method.substring(method.indexOf('$', REAL.length()) + 1)
        : method;
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
