// Regular expressions as Android reads them. Its expressions are ICU's, the JDK's differ in syntax
// and know ASCII only where ICU knows Unicode. The JDK's Pattern calls these methods while it
// compiles, so that Pattern.pattern() and flags() still give what the app gave. docs/libcore.md
// lists the differences.
package dev.retap.agent.world.libcore;

import dev.retap.agent.world.Scheduler;
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

  private IcuPattern() {}

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
