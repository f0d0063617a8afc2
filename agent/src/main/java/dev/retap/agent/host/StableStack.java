// The part of a thread's stack that stays while the thread goes round in circles: what several
// looks at it have in common, from the bottom up. A single look depends on the machine's speed.
package dev.retap.agent.host;

import java.util.List;
import java.util.function.Supplier;

final class StableStack {
  private static final int LOOKS = 16;
  private static final int PAUSE_MILLIS = 4;

  private StableStack() {}

  /**
   * Looks several times. Frames read like {@code Type.method(File.java:12)}, the innermost first.
   */
  static List<String> take(Supplier<List<String>> look) {
    List<String> stack = look.get();
    for (int i = 1; i < LOOKS; i++) {
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        // Nothing interrupts this thread for a reason; it goes on.
      }
      stack = common(stack, look.get());
    }
    return stack;
  }

  /**
   * Returns the outer frames that both stacks have. Where they part inside of one method, that
   * method's frame stays without its line.
   */
  static List<String> common(List<String> one, List<String> other) {
    int same = 0;
    while (same < Math.min(one.size(), other.size())
        && fromEnd(one, same).equals(fromEnd(other, same))) {
      same++;
    }
    List<String> outer = one.subList(one.size() - same, one.size());
    if (same == one.size() || same == other.size()) {
      return outer;
    }
    String frame = fromEnd(one, same);
    if (!method(frame).equals(method(fromEnd(other, same)))) {
      return outer;
    }
    List<String> withMethod = new java.util.ArrayList<>(outer);
    withMethod.add(0, withoutLine(frame));
    return withMethod;
  }

  private static String fromEnd(List<String> frames, int index) {
    return frames.get(frames.size() - 1 - index);
  }

  private static String method(String frame) {
    int file = frame.indexOf('(');
    return file < 0 ? frame : frame.substring(0, file);
  }

  private static String withoutLine(String frame) {
    int line = frame.lastIndexOf(':');
    return line < frame.indexOf('(') ? frame : frame.substring(0, line) + ")";
  }
}
