// A stack that code of the app printed, as a phone would have printed it: without the frames of the
// host and the JDK's module names.
package dev.retap.agent.device.outcome;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

public final class PrintedStack {
  private static final Pattern FRAME = Pattern.compile("^\\s*at (?:[\\w.@]+/)?(.*)$");
  private static final Pattern HOST =
      Pattern.compile(
          "^(?:dev\\.retap\\.agent|org\\.robolectric|jdk\\.internal|sun\\.reflect)\\..*");

  /** Robolectric's name of an original method: this prefix, the class and a dollar. */
  private static final Pattern REAL = Pattern.compile("\\$\\$robo\\$\\$[\\w$]*\\$(\\w+\\()");

  private PrintedStack() {}

  public static String clean(String printed) {
    StringBuilder text = new StringBuilder();
    for (String line : printed.split("\n", -1)) {
      Matcher frame = FRAME.matcher(line);
      if (!frame.matches()) {
        text.append(line).append('\n');
      } else if (!HOST.matcher(frame.group(1)).matches()) {
        text.append("\tat ").append(REAL.matcher(frame.group(1)).replaceAll("$1")).append('\n');
      }
    }
    text.setLength(text.length() - 1);
    return HostNames.hide(text.toString());
  }
}
