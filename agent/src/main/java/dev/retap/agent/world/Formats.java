// Format strings as Android reads them where today's JDK is stricter: until Android 15 an argument index
// of zero means the next argument.
package dev.retap.agent.world;

import java.util.regex.Pattern;

public final class Formats {
  private static final Pattern ZERO = Pattern.compile("(?<!%)((?:%%)*)%0+\\$");

  private static volatile boolean strict;

  private Formats() {}

  public static void setStrict(boolean strict) {
    Formats.strict = strict;
  }

  public static String read(String format) {
    return format == null || format.indexOf("%0") < 0 || strict || !Chance.mine()
        ? format
        : ZERO.matcher(format).replaceAll("$1%");
  }
}
