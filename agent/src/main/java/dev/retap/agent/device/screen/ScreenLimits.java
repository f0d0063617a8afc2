// The limits of one encoded screen, so that it always fits into a frame. What exceeds them is left
// out with a mark, the same way each time: a text ends with an ellipsis, and a widget whose
// children are missing says so.
package dev.retap.agent.device.screen;

import dev.retap.agent.device.outcome.HostNames;

final class ScreenLimits {
  /** The longest text of a widget, in characters: more than a screen can show. */
  static final int MAX_TEXT = 1 << 16;

  /** The deepest widget. Android itself overflows its stack at a smaller depth. */
  static final int MAX_DEPTH = 900;

  /** The windows of a screen, of which the frontmost are kept. */
  static final int MAX_WINDOWS = 200;

  /** The children of one widget, so that one crowded widget leaves room for the others. */
  static final int MAX_CHILDREN = 2_000;

  private static final int MAX_WIDGETS = 10_000;
  private static final int MAX_CHARS = 4 << 20;

  /** The longest text once all characters are used up. */
  private static final int SHORT_TEXT = 64;

  private int widgetsLeft = MAX_WIDGETS;
  private int charsLeft = MAX_CHARS;

  /** Takes room for one more widget. Returns false if there is none. */
  boolean takeWidget() {
    return widgetsLeft-- > 0;
  }

  /**
   * Returns a text without the names that differ from machine to machine, and cut if it is too
   * long. A text that cannot be read is empty: the app's own code reads it.
   */
  String text(CharSequence shown) {
    if (shown == null) {
      return null;
    }
    try {
      int most = charsLeft > 0 ? MAX_TEXT : SHORT_TEXT;
      boolean isLong = shown.length() > most;
      String text = isLong ? cut(shown, most) + "…" : shown.toString();
      charsLeft -= text.length();
      return HostNames.hide(text);
    } catch (RuntimeException | LinkageError | AssertionError e) {
      return "";
    }
  }

  /** Cuts a text, but not inside a character of two. */
  private static String cut(CharSequence text, int length) {
    boolean splits = Character.isHighSurrogate(text.charAt(length - 1));
    return text.subSequence(0, splits ? length - 1 : length).toString();
  }
}
