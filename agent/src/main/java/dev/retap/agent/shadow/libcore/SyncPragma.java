// SQLite's setting that says how often it waits for the disk. It never waits here, because the
// phone's disk does not outlive the phone; an app that asks for the setting gets what it has set.
package dev.retap.agent.shadow.libcore;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class SyncPragma {
  private static final String NEVER = "PRAGMA synchronous=OFF";

  /** What SQLite begins with. */
  private static final int FULL = 2;

  private static final Pattern PRAGMA =
      Pattern.compile(
          "\\s*pragma\\s+(?:main\\.)?synchronous\\s*(?:[=(]\\s*'?(\\w+)'?\\s*\\)?\\s*)?;?\\s*",
          Pattern.CASE_INSENSITIVE);

  /** The settings that differ from the first one, by connection. */
  private static final Map<Long, Integer> SET = new ConcurrentHashMap<>();

  private SyncPragma() {}

  /**
   * Lets a new connection never wait.
   *
   * @param executor runs a statement on the connection
   */
  static void begin(long connection, Consumer<String> executor) {
    SET.remove(connection);
    try {
      executor.accept(NEVER);
    } catch (RuntimeException e) {
      // A file that is no database: the first statement of the app's own says so.
    }
  }

  /** Returns the statement in whose place it is prepared: most are their own. */
  static String ofWorld(long connection, String sql) {
    if (sql == null || !sql.regionMatches(true, 0, "PRAGMA", 0, 6)) {
      return sql;
    }
    Matcher matcher = PRAGMA.matcher(sql);
    if (!matcher.matches()) {
      return sql;
    }
    if (matcher.group(1) == null) {
      return "SELECT " + SET.getOrDefault(connection, FULL) + " AS synchronous";
    }
    SET.put(connection, level(matcher.group(1)));
    return NEVER;
  }

  /** Reads a level as SQLite does: a word or a number, and anything else is as good as none. */
  static int level(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "normal", "on", "yes", "true", "1" -> 1;
      case "full", "2" -> FULL;
      case "extra", "3" -> 3;
      default -> 0;
    };
  }
}
