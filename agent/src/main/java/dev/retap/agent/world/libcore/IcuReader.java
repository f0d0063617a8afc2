// Reads the characters of an expression.
package dev.retap.agent.world.libcore;

import java.util.regex.PatternSyntaxException;

final class IcuReader {
  final String text;
  int at;

  /** Whether white space and comments are ignored. */
  boolean comments;

  IcuReader(String text, boolean comments) {
    this.text = text;
    this.comments = comments;
  }

  boolean atEnd() {
    return at >= text.length();
  }

  /** Returns the next character without reading it, -1 at the end. */
  int peek() {
    return atEnd() ? -1 : text.charAt(at);
  }

  /** Reads a code point, -1 at the end. */
  int next() {
    if (atEnd()) {
      return -1;
    }
    int c = text.codePointAt(at);
    at += Character.charCount(c);
    return c;
  }

  boolean accept(String expected) {
    boolean found = text.startsWith(expected, at);
    at += found ? expected.length() : 0;
    return found;
  }

  void skipPast(char end, String error) {
    int found = text.indexOf(end, at);
    if (found < 0) {
      throw error(error);
    }
    at = found + 1;
  }

  /** Skips white space, or a comment up to the end of its line, if they are ignored here. */
  boolean skipComment() {
    if (!comments || atEnd()) {
      return false;
    }
    if (text.charAt(at) == '#') {
      while (!atEnd() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
        at++;
      }
      return true;
    }
    boolean isSpace = Character.isWhitespace(text.charAt(at));
    at += isSpace ? 1 : 0;
    return isSpace;
  }

  /** Reads up to {@code \E} or the end, and returns the characters as literals. */
  String quoted() {
    StringBuilder literals = new StringBuilder();
    while (!atEnd() && !accept("\\E")) {
      literals.append(literal(next()));
    }
    return literals.toString();
  }

  /** Reads the hexadecimal number of an escape by x, u or U. */
  int hexadecimal(int escape) {
    int most = escape == 'x' ? 2 : escape == 'u' ? 4 : 8;
    boolean braces = escape == 'x' && accept("{");
    int value = 0;
    int digits = 0;
    while (digits < (braces ? 6 : most) && Character.digit(peek(), 16) >= 0) {
      value = value * 16 + Character.digit(next(), 16);
      digits++;
    }
    boolean complete = escape == 'x' ? digits > 0 : digits == most;
    if (!complete || value > Character.MAX_CODE_POINT || value < 0 || braces && next() != '}') {
      throw error(IcuExpression.BAD_ESCAPE);
    }
    boolean isHalf = escape == 'u' && Character.isHighSurrogate((char) value);
    if (isHalf && accept("\\u")) {
      return Character.toCodePoint((char) value, (char) hexadecimal('u'));
    }
    return value;
  }

  PatternSyntaxException error(String description) {
    return new PatternSyntaxException(description, text, Math.min(at, text.length()));
  }

  /** Returns a character in a form that means itself everywhere. */
  static String literal(int c) {
    return isAsciiLetter(c) || c >= '0' && c <= '9'
        ? Character.toString(c)
        : "\\x{" + Integer.toHexString(c) + "}";
  }

  static boolean isAsciiLetter(int c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
  }
}
