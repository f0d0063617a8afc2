// The names of Unicode properties. ICU compares them without case, blanks, hyphens and underscores
// and knows long names; the JDK wants its own spelling.
package dev.retap.agent.world.libcore;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

final class IcuProperty {
  private static final String BAD_PROPERTY = "Incorrect Unicode property";

  private static final String CATEGORIES =
      "L Letter, Lu Uppercase_Letter, Ll Lowercase_Letter, Lt Titlecase_Letter, LC Cased_Letter,"
          + " Lm Modifier_Letter, Lo Other_Letter, M Mark, Mn Nonspacing_Mark, Mc Spacing_Mark,"
          + " Me Enclosing_Mark, N Number, Nd Decimal_Number, Nl Letter_Number, No Other_Number,"
          + " S Symbol, Sm Math_Symbol, Sc Currency_Symbol, Sk Modifier_Symbol, So Other_Symbol,"
          + " P Punctuation, Pc Connector_Punctuation, Pd Dash_Punctuation, Ps Open_Punctuation,"
          + " Pe Close_Punctuation, Pi Initial_Punctuation, Pf Final_Punctuation,"
          + " Po Other_Punctuation, Z Separator, Zs Space_Separator, Zl Line_Separator,"
          + " Zp Paragraph_Separator, C Other, Cc Control, Cf Format, Cs Surrogate,"
          + " Co Private_Use, Cn Unassigned";

  private static final String[] POSIX = {
    "Alpha", "Alnum", "ASCII", "Blank", "Cntrl", "Digit", "Graph", "Lower", "Print", "Punct",
    "Space", "Upper", "XDigit"
  };

  private static final String[] BINARY = {
    "Alphabetic",
    "Ideographic",
    "Lowercase",
    "Uppercase",
    "Titlecase",
    "White_Space",
    "Noncharacter_Code_Point",
    "Assigned",
    "Hex_Digit",
    "Join_Control"
  };

  /** The JDK's names by what is left of ICU's. */
  private static final Map<String, String> NAMES = new HashMap<>();

  static {
    for (String category : CATEGORIES.split(",")) {
      int space = category.lastIndexOf(' ');
      String code = category.substring(0, space).strip();
      NAMES.put(loose(code), code);
      NAMES.put(loose(category.substring(space + 1)), code);
    }
    for (String name : POSIX) {
      NAMES.put(loose(name), name);
    }
    for (String name : BINARY) {
      NAMES.put(loose(name), "Is" + name);
    }
  }

  private IcuProperty() {}

  /** Reads {name}. */
  static String read(IcuReader in, boolean negated) {
    int start = in.at + 1;
    if (!in.accept("{")) {
      throw in.error(BAD_PROPERTY);
    }
    in.skipPast('}', BAD_PROPERTY);
    return property(in.text.substring(start, in.at - 1), negated);
  }

  /** Reads :name:] after an opening bracket. Returns null if something else stands there. */
  static String readPosix(IcuReader in) {
    if (in.peek() != ':') {
      return null;
    }
    int end = in.text.indexOf(":]", in.at + 1);
    if (end < 0 || in.text.substring(in.at + 1, end).contains("]")) {
      return null;
    }
    String name = in.text.substring(in.at + 1, end);
    in.at = end + 2;
    return property(name, false);
  }

  private static String property(String name, boolean negated) {
    boolean not = name.startsWith("^");
    return (not != negated ? "\\P{" : "\\p{") + jdkName(not ? name.substring(1) : name) + "}";
  }

  private static String jdkName(String name) {
    int equals = name.indexOf('=');
    if (equals >= 0) {
      String key = loose(name.substring(0, equals));
      String value = name.substring(equals + 1).strip();
      return switch (key) {
        case "gc", "generalcategory" -> NAMES.getOrDefault(loose(value), value);
        case "sc", "script" -> "Is" + script(value);
        case "blk", "block" -> "In" + value;
        default -> name;
      };
    }
    if (name.startsWith("java") || name.startsWith("In")) {
      return name;
    }
    String key = loose(name);
    if (key.equals("word")) {
      return "IsWord";
    }
    String known = NAMES.get(key);
    if (known == null && key.startsWith("is")) {
      known = NAMES.get(key.substring(2));
    }
    if (known != null) {
      return known;
    }
    String script = script(name);
    return script == null ? name : "Is" + script;
  }

  private static String script(String name) {
    try {
      return Character.UnicodeScript.forName(name.replace(' ', '_').replace('-', '_')).name();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String loose(String name) {
    StringBuilder letters = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      if ("_- ".indexOf(name.charAt(i)) < 0) {
        letters.append(name.charAt(i));
      }
    }
    return letters.toString().toLowerCase(Locale.ROOT);
  }
}
