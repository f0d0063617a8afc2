// Translates a set, [...], from ICU's syntax to the JDK's. ICU joins sets with -- and &&, and after
// an item also with - and & before a nested set. Neighbours are united first.
package dev.retap.agent.world.libcore;

final class IcuSet {
  private static final String UNCLOSED = "Missing closing bracket in character class";
  private static final String BAD_RANGE = "In a character set [x-y], x is greater than y";
  private static final String CLASSES = "wWdDsShHvV";
  private static final String CONTROLS = "aefnrt";
  private static final int[] CONTROL_VALUES = {7, 27, 12, 10, 13, 9};
  private static final int NONE = -1;

  private final IcuReader in;

  /** What is left of the last operator, as a set of its own, or null. */
  private String left;

  private boolean subtract;

  /** The items since the last operator. */
  private final StringBuilder union = new StringBuilder();

  /** The last literal, which a dash may turn into a range. */
  private int pending = NONE;

  /** Reads the set whose opening bracket was read. */
  IcuSet(IcuReader in) {
    this.in = in;
  }

  String translate() {
    String posix = IcuProperty.readPosix(in);
    if (posix != null) {
      return "[" + posix + "]";
    }
    boolean negated = in.accept("^");
    boolean first = true;
    while (true) {
      if (in.skipComment()) {
        continue;
      }
      int c = in.next();
      if (c < 0) {
        throw in.error(UNCLOSED);
      } else if (c == ']' && !first) {
        String content = end();
        return (negated ? "[^" : "[") + content + "]";
      } else if (c == '[') {
        add(new IcuSet(in).translate());
      } else if (c == '\\') {
        escape();
      } else if (c == '-' || c == '&') {
        operator(c);
      } else {
        literal(c);
      }
      first = false;
    }
  }

  private boolean isEmpty() {
    return union.isEmpty() && pending == NONE;
  }

  private void flush() {
    if (pending != NONE) {
      union.append(IcuReader.literal(pending));
      pending = NONE;
    }
  }

  private void literal(int c) {
    flush();
    pending = c;
  }

  private void add(String item) {
    flush();
    union.append(item);
  }

  private void operator(int c) {
    boolean isDash = c == '-';
    if (in.accept(Character.toString(c))) {
      if (isEmpty()) {
        throw in.error(IcuExpression.SYNTAX);
      }
      left = "[" + end() + "]";
      subtract = isDash;
      union.setLength(0);
    } else if (in.peek() == '[' && !isEmpty()) {
      in.next();
      String right = new IcuSet(in).translate();
      flush();
      String joined = join("[" + union + "]", right, isDash);
      union.setLength(0);
      union.append(joined);
    } else if (isDash && pending != NONE && in.peek() != ']') {
      range();
    } else {
      literal(c);
    }
  }

  private void range() {
    int low = pending;
    int high = in.next();
    if (high == '\\') {
      high = escapedLiteral(in.next());
    }
    if (high < low) {
      throw in.error(high < 0 ? UNCLOSED : BAD_RANGE);
    }
    pending = NONE;
    union.append(IcuReader.literal(low)).append('-').append(IcuReader.literal(high));
  }

  /** Returns what the items so far and the last operator make. */
  private String end() {
    if (isEmpty()) {
      throw in.error(IcuExpression.SYNTAX);
    }
    flush();
    return left == null ? union.toString() : join(left, "[" + union + "]", subtract);
  }

  private static String join(String left, String right, boolean subtract) {
    return "[" + left + "&&" + (subtract ? "[^" + right + "]" : right) + "]";
  }

  private void escape() {
    int c = in.next();
    if (c >= 0 && CLASSES.indexOf(c) >= 0) {
      add("\\" + (char) c);
    } else if (c == 'p' || c == 'P') {
      add(IcuProperty.read(in, c == 'P'));
    } else if (c == 'N') {
      int from = in.at;
      in.skipPast('}', IcuExpression.BAD_ESCAPE);
      add("\\N" + in.text.substring(from, in.at));
    } else if (c == 'Q') {
      add(in.quoted());
    } else if (c != 'E') {
      literal(escapedLiteral(c));
    }
  }

  private int escapedLiteral(int c) {
    int control = CONTROLS.indexOf(c);
    if (control >= 0) {
      return CONTROL_VALUES[control];
    } else if (c == 'x' || c == 'u' || c == 'U') {
      return in.hexadecimal(c);
    } else if (c == 'c') {
      return in.next() & 31;
    } else if (c == '0') {
      int value = 0;
      for (int i = 0; i < 3 && in.peek() >= '0' && in.peek() <= '7'; i++) {
        value = value * 8 + in.next() - '0';
      }
      return value;
    } else if (c < 0 || IcuReader.isAsciiLetter(c)) {
      throw in.error(IcuExpression.BAD_ESCAPE);
    }
    return c;
  }
}
