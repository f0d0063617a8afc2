// Format strings as Android reads them. Until Android 15 an argument index of zero means the next
// argument; this JDK rejects it.
package dev.retap.agent.world.jdk;

import dev.retap.agent.world.Scheduler;
import java.util.regex.Pattern;

public final class FormatStrings {
  private static final Pattern ZERO_INDEX = Pattern.compile("(?<!%)((?:%%)*)%0+\\$");

  private static volatile boolean strict;

  private FormatStrings() {}

  /** Makes index zero an error, as it is since Android 15. */
  public static void setStrict(boolean strict) {
    FormatStrings.strict = strict;
  }

  /** Returns the format with every index of zero removed, for an app on an older Android. */
  public static String relax(String format) {
    return format == null || format.indexOf("%0") < 0 || strict || !Scheduler.isAppThread()
        ? format
        : ZERO_INDEX.matcher(format).replaceAll("$1%");
  }
}
