// The log lines of a step as logcat prints them, limited in number and length.
package dev.retap.agent.device.outcome;

import java.util.ArrayList;
import java.util.List;
import org.robolectric.shadows.ShadowLog;

public final class LogLines {
  private static final int MOST_LINES = 200;
  private static final int MOST_CHARACTERS = 2_000;
  private static final String LEVELS = "??VDIWEA";

  private LogLines() {}

  /** Returns the lines logged since the last call, and forgets them. */
  public static List<String> drain() {
    List<String> lines = new ArrayList<>();
    for (ShadowLog.LogItem item : ShadowLog.getLogs()) {
      if (lines.size() == MOST_LINES) {
        break;
      }
      String message = item.msg == null ? "" : item.msg;
      if (item.throwable != null) {
        message += "\n" + StackText.of(item.throwable);
      }
      String line =
          LEVELS.charAt(Math.min(item.type, 7)) + "/" + item.tag + ": " + HostNames.hide(message);
      lines.add(line.length() > MOST_CHARACTERS ? line.substring(0, MOST_CHARACTERS) : line);
    }
    ShadowLog.clear();
    return lines;
  }
}
