// The message of a string that refuses an index, in the words of the strings of each level. The
// JDK's own strings tell no length for some calls; these messages stay, but for index 0, which only
// the empty string refuses.
package dev.retap.agent.device.outcome;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class StringMessage {
  /** The first level whose strings look at a beginning below zero on its own. */
  private static final int FIRST_WITH_BEGINNING = 24;

  /** The first level whose strings look at the end on its own. */
  private static final int FIRST_WITH_END = 26;

  /** The first level whose strings have the JDK's words for a part of a string. */
  private static final int FIRST_WITH_NEW_PARTS = 33;

  private static final Pattern INDEX =
      Pattern.compile(
          "index (-?\\d+), length (\\d+)|Index (-?\\d+) out of bounds for length (\\d+)");

  private static final String FIRST_OF_NONE = "String index out of range: 0";
  private static final Pattern PART =
      Pattern.compile("begin (-?\\d+), end (-?\\d+), length (\\d+)");

  private StringMessage() {}

  static String of(String message, StackTraceElement[] stack, int level) {
    List<String> calls = calls(stack);
    boolean isCharAt = calls.size() > 1 && calls.get(calls.size() - 1).equals("charAt");
    if (isCharAt && message.equals(FIRST_OF_NONE)) {
      return atIndex("0", "0");
    }
    Matcher index = INDEX.matcher(message);
    if (isCharAt && index.matches()) {
      return index.group(1) == null
          ? atIndex(index.group(4), index.group(3))
          : atIndex(index.group(2), index.group(1));
    }
    Matcher part = PART.matcher(message);
    if (!part.matches()
        || calls.size() < 2
        || !calls.get(0).equals("checkBoundsBeginEnd")
        || !calls.get(1).equals("substring")) {
      return message;
    }
    if (calls.size() > 2 && calls.get(2).equals("substring")) {
      // The method without an end calls the one with it.
      return atIndex(part.group(3), part.group(1));
    }
    return level < FIRST_WITH_NEW_PARTS ? ofPart(part, level) : message;
  }

  private static String ofPart(Matcher part, int level) {
    int begin = Integer.parseInt(part.group(1));
    int end = Integer.parseInt(part.group(2));
    String length = part.group(3);
    if (begin < 0 && level >= FIRST_WITH_BEGINNING) {
      return atIndex(length, part.group(1));
    }
    if (level < FIRST_WITH_END) {
      return "length=" + length + "; regionStart=" + begin + "; regionLength=" + (end - begin);
    }
    return end > Integer.parseInt(length)
        ? atIndex(length, part.group(2))
        : "String index out of range: " + (end - begin);
  }

  private static String atIndex(String length, String index) {
    return "length=" + length + "; index=" + index;
  }

  /** Returns the methods of strings that the stack begins with, the last called first. */
  private static List<String> calls(StackTraceElement[] stack) {
    List<String> calls = new ArrayList<>();
    for (StackTraceElement frame : stack) {
      String type = frame.getClassName();
      boolean isString =
          type.equals("java.lang.String")
              || type.equals("java.lang.StringLatin1")
              || type.equals("java.lang.StringUTF16");
      if (isString) {
        calls.add(frame.getMethodName());
      } else if (!type.startsWith("jdk.internal.")) {
        break;
      }
    }
    return calls;
  }
}
