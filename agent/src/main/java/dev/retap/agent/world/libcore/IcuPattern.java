// Regular expressions as Android reads them. Its expressions are ICU's, the JDK's differ in syntax
// and know ASCII only where ICU knows Unicode. The JDK's Pattern calls these methods while it
// compiles, so that Pattern.pattern() and flags() still give what the app gave. docs/libcore.md
// lists the differences.
package dev.retap.agent.world.libcore;

import dev.retap.agent.world.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

public final class IcuPattern {
  private static final int KNOWN_FLAGS =
      Pattern.CASE_INSENSITIVE
          | Pattern.COMMENTS
          | Pattern.DOTALL
          | Pattern.LITERAL
          | Pattern.MULTILINE
          | Pattern.UNICODE_CASE
          | Pattern.UNIX_LINES;

  private static volatile boolean keepsBlanks;

  private IcuPattern() {}

  /**
   * Sets whether a text that is split at an empty match in front of its first character begins with
   * a blank part, as up to Android 9 and for apps that target it.
   */
  public static void setKeepsBlanks(boolean keeps) {
    keepsBlanks = keeps;
  }

  /** Returns true if a split begins with a blank part that the JDK would leave out. */
  public static boolean beginsWithBlank(Pattern pattern, CharSequence text) {
    if (!keepsBlanks || text.length() == 0 || !Scheduler.isAppThread()) {
      return false;
    }
    Matcher matcher = pattern.matcher(text);
    return matcher.lookingAt() && matcher.end() == 0 && !Callers.isHost();
  }

  /** Splits a text that begins with a blank part. */
  public static String[] splitFromBlank(Pattern pattern, CharSequence text, int limit) {
    List<String> parts = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    int from = 0;
    boolean isFull = false;
    while (!isFull && matcher.find()) {
      isFull = limit > 0 && parts.size() == limit - 1;
      if (!isFull) {
        parts.add(text.subSequence(from, matcher.start()).toString());
        from = matcher.end();
      }
    }
    if (from == 0 && !isFull) {
      return new String[] {text.toString()};
    }
    parts.add(text.subSequence(from, text.length()).toString());
    int size = parts.size();
    while (limit == 0 && size > 0 && parts.get(size - 1).isEmpty()) {
      size--;
    }
    return parts.subList(0, size).toArray(new String[0]);
  }

  /** Refuses the flags that Android refuses. */
  public static void checkFlags(int flags) {
    if ((flags & ~KNOWN_FLAGS) == 0 || !Scheduler.isAppThread() || Callers.isHost()) {
      return;
    }
    if ((flags & Pattern.CANON_EQ) != 0) {
      throw new UnsupportedOperationException("CANON_EQ flag not supported");
    }
    throw new IllegalArgumentException("Unsupported flags: " + (flags & ~KNOWN_FLAGS));
  }

  /** Returns the flags to compile with: classes and cases are always Unicode's. */
  public static int compileFlags(int flags) {
    return Scheduler.isAppThread()
        ? flags | Pattern.UNICODE_CHARACTER_CLASS | Pattern.UNICODE_CASE
        : flags;
  }

  /** Returns the flags that an app gave, whatever the expression itself turned on or off. */
  public static int givenFlags(int compiled, int given) {
    return Scheduler.isAppThread() ? given : compiled;
  }

  /** Returns the expression in the JDK's syntax. */
  public static String translate(String expression, int flags) {
    if ((flags & Pattern.LITERAL) != 0 || !Scheduler.isAppThread()) {
      return expression;
    }
    try {
      return toJdk(expression, flags);
    } catch (PatternSyntaxException e) {
      if (Callers.isHost()) {
        return expression;
      }
      throw e;
    }
  }

  /** Translates an expression. Throws what Android throws if ICU does not accept it. */
  static String toJdk(String expression, int flags) {
    return new IcuExpression(expression, (flags & Pattern.COMMENTS) != 0).translate();
  }
}
