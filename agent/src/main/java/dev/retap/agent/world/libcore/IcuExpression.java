// Translates an expression from ICU's syntax to the JDK's. What both read alike is copied; what
// ICU refuses is refused with ICU's words.
package dev.retap.agent.world.libcore;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.PatternSyntaxException;

final class IcuExpression {
  static final String SYNTAX = "Syntax error in regexp pattern";
  static final String BAD_ESCAPE = "Unrecognized backslash escape sequence in pattern";
  static final String BAD_PARENTHESES = "Incorrectly nested parentheses in regexp pattern";
  static final String BAD_INTERVAL = "Error in {min,max} interval";
  static final String BAD_FLAG = "Invalid value for match mode flags";

  /** Escapes that match at a place and take no character, so that nothing may repeat them. */
  private static final String PLACES = "bBAZzG";

  /** Escapes that mean the same in both syntaxes, beside those. */
  private static final String SHARED = "wWdDsShHvVRXaefnrt";

  private final IcuReader in;
  private final StringBuilder out = new StringBuilder();
  private final Deque<Group> groups = new ArrayDeque<>();

  /** Whether a quantifier may follow. */
  private boolean repeatable;

  /**
   * An open parenthesis.
   *
   * @param repeatable whether a quantifier may follow its end
   * @param comments whether white space is ignored after its end
   */
  private record Group(boolean repeatable, boolean comments) {}

  IcuExpression(String expression, boolean comments) {
    in = new IcuReader(expression, comments);
  }

  String translate() {
    while (!in.atEnd()) {
      int from = in.at;
      if (in.skipComment()) {
        continue;
      }
      int c = in.next();
      switch (c) {
        case '\\' -> escape();
        case '[' -> append(new IcuSet(in).translate());
        case '(' -> open();
        case ')' -> close();
        case '{', '*', '+', '?' -> quantifier(c);
        case '}' -> throw in.error(SYNTAX);
        case '^', '$', '|' -> {
          out.append((char) c);
          repeatable = false;
        }
        default -> append(in.text.substring(from, in.at));
      }
    }
    if (!groups.isEmpty()) {
      throw in.error(BAD_PARENTHESES);
    }
    return out.toString();
  }

  private void append(String item) {
    out.append(item);
    repeatable = true;
  }

  private void quantifier(int c) {
    if (!repeatable) {
      throw in.error(SYNTAX);
    }
    out.append((char) c);
    if (c == '{') {
      interval();
    }
    if (in.peek() == '?' || in.peek() == '+') {
      out.append((char) in.next());
    }
    repeatable = false;
  }

  /** Copies the rest of an interval, whose least number is not optional. */
  private void interval() {
    int digits = digits();
    if (in.peek() == ',') {
      out.append((char) in.next());
      digits();
    }
    if (digits == 0 || in.next() != '}') {
      throw in.error(BAD_INTERVAL);
    }
    out.append('}');
  }

  private int digits() {
    int count = 0;
    while (in.peek() >= '0' && in.peek() <= '9') {
      out.append((char) in.next());
      count++;
    }
    return count;
  }

  private void open() {
    if (in.peek() != '?') {
      out.append('(');
      push(true);
      return;
    }
    in.next();
    if (in.accept("#")) {
      in.skipPast(')', BAD_PARENTHESES);
    } else if (in.accept("<=") || in.accept("<!") || in.accept("=") || in.accept("!")) {
      int start = in.text.lastIndexOf('(', in.at);
      out.append(in.text, start, in.at);
      push(false);
    } else if (in.accept(":") || in.accept(">")) {
      out.append("(?").append(in.text.charAt(in.at - 1));
      push(true);
    } else if (in.accept("<")) {
      int start = in.at;
      in.skipPast('>', SYNTAX);
      out.append("(?<").append(in.text, start, in.at);
      push(true);
    } else {
      flags();
    }
  }

  /** Copies flags, without u, which is always on, and w, which the JDK does not know. */
  private void flags() {
    StringBuilder on = new StringBuilder();
    StringBuilder off = new StringBuilder();
    StringBuilder now = on;
    boolean before = in.comments;
    boolean comments = before;
    while (true) {
      int c = in.atEnd() ? -1 : in.next();
      if (c == ')' || c == ':') {
        String flags = on + (off.isEmpty() ? "" : "-" + off);
        if (c == ':') {
          out.append("(?").append(flags).append(':');
          push(true);
        } else if (!flags.isEmpty()) {
          out.append("(?").append(flags).append(')');
          repeatable = false;
        }
        in.comments = comments;
        return;
      } else if (c == '-' && now == on) {
        now = off;
      } else if (c == 'x') {
        comments = now == on;
        now.append('x');
      } else if (c >= 0 && "idms".indexOf(c) >= 0) {
        now.append((char) c);
      } else if (c != 'u' && c != 'w') {
        throw in.error(c >= 'A' && c <= 'z' ? BAD_FLAG : SYNTAX);
      }
    }
  }

  private void push(boolean repeatableAfter) {
    groups.push(new Group(repeatableAfter, in.comments));
    repeatable = false;
  }

  private void close() {
    Group group = groups.poll();
    if (group == null) {
      throw in.error(BAD_PARENTHESES);
    }
    out.append(')');
    repeatable = group.repeatable;
    in.comments = group.comments;
  }

  private void escape() throws PatternSyntaxException {
    int from = in.at - 1;
    int c = in.atEnd() ? -1 : in.next();
    if (PLACES.indexOf(c) >= 0) {
      out.append('\\').append((char) c);
      repeatable = false;
    } else if (c == 'Q') {
      String literals = in.quoted();
      out.append(literals);
      repeatable |= !literals.isEmpty();
    } else if (c == 'E') {
      repeatable = false;
    } else if (c == 'p' || c == 'P') {
      append(IcuProperty.read(in, c == 'P'));
    } else if (c == 'N' || c == 'k') {
      in.skipPast(c == 'N' ? '}' : '>', BAD_ESCAPE);
      append(in.text.substring(from, in.at));
    } else if (c == 'x' || c == 'u' || c == 'U') {
      append(IcuReader.literal(in.hexadecimal(c)));
    } else if (c == 'c') {
      in.next();
      append(in.text.substring(from, in.at));
    } else if (SHARED.indexOf(c) < 0 && (c < 0 || IcuReader.isAsciiLetter(c))) {
      throw in.error(BAD_ESCAPE);
    } else {
      append(in.text.substring(from, in.at));
    }
  }
}
