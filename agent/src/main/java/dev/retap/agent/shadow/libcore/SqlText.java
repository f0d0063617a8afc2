// Rewrites what a statement takes from the machine, the time and random numbers, into calls of
// functions that take it from the world. Strings, names in quotes and comments stay as they are.
package dev.retap.agent.shadow.libcore;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Set;

final class SqlText {
  static final String NOW = "retap_now";
  static final String RANDOM = "retap_random";
  static final String BLOB = "retap_blob";

  private static final Set<String> TIME_FUNCTIONS =
      Set.of("date", "time", "datetime", "julianday", "strftime", "unixepoch");

  private final String sql;
  private final StringBuilder out = new StringBuilder();

  /** The function of each open parenthesis, empty if it is none. */
  private final Deque<String> functions = new ArrayDeque<>();

  private String lastWord = "";
  private int at;

  private SqlText(String sql) {
    this.sql = sql;
  }

  /** Returns the statement with time and random numbers from the world. */
  static String ofWorld(String sql) {
    if (sql == null) {
      return null;
    }
    String lower = sql.toLowerCase(Locale.ROOT);
    boolean mayNeed =
        lower.contains("random") || lower.contains("now") || lower.contains("current_");
    return mayNeed ? new SqlText(sql).rewrite() : sql;
  }

  private String rewrite() {
    while (at < sql.length()) {
      char c = sql.charAt(at);
      if (c == '\'') {
        string();
      } else if (c == '"' || c == '`') {
        copyTo(sql.indexOf(c, at + 1), 1);
      } else if (c == '[') {
        copyTo(sql.indexOf(']', at + 1), 1);
      } else if (sql.startsWith("--", at)) {
        copyTo(sql.indexOf('\n', at), 1);
      } else if (sql.startsWith("/*", at)) {
        copyTo(sql.indexOf("*/", at + 2), 2);
      } else if (isPartOfWord(c)) {
        word();
      } else {
        parenthesis(c);
      }
    }
    return out.toString();
  }

  private void copyTo(int end, int length) {
    int to = end < 0 ? sql.length() : end + length;
    out.append(sql, at, to);
    at = to;
  }

  private void string() {
    int end = at + 1;
    while (end < sql.length() && (sql.charAt(end) != '\'' || isDoubled(end))) {
      end += sql.charAt(end) == '\'' ? 2 : 1;
    }
    String text = sql.substring(at, Math.min(end + 1, sql.length()));
    boolean isTime = !functions.isEmpty() && TIME_FUNCTIONS.contains(functions.peek());
    out.append(isTime && text.equalsIgnoreCase("'now'") ? NOW + "('')" : text);
    at += text.length();
  }

  private boolean isDoubled(int quote) {
    return quote + 1 < sql.length() && sql.charAt(quote + 1) == '\'';
  }

  private void word() {
    int end = at;
    while (end < sql.length() && isPartOfWord(sql.charAt(end))) {
      end++;
    }
    String text = sql.substring(at, end);
    String word = text.toLowerCase(Locale.ROOT);
    int open = skipBlanks(end);
    boolean isCall = open < sql.length() && sql.charAt(open) == '(';
    if (word.equals("random") && isCall) {
      int close = skipBlanks(open + 1);
      if (close < sql.length() && sql.charAt(close) == ')') {
        out.append("CAST(" + RANDOM + "('') AS INTEGER)");
        at = close + 1;
        return;
      }
    }
    switch (isCall ? "" : word) {
      case "current_timestamp" -> time("datetime");
      case "current_date" -> time("date");
      case "current_time" -> time("time");
      default -> out.append(word.equals("randomblob") && isCall ? "CAST(" + BLOB : text);
    }
    at = end;
    if (isCall) {
      out.append(sql, end, open + 1);
      functions.push(word);
      at = open + 1;
    }
    lastWord = word;
  }

  /** Appends a time; a default value that is computed needs parentheses. */
  private void time(String function) {
    String call = function + "(" + NOW + "(''))";
    out.append(lastWord.equals("default") ? "(" + call + ")" : call);
  }

  private void parenthesis(char c) {
    out.append(c);
    at++;
    if (c == '(') {
      functions.push("");
    } else if (c == ')' && !functions.isEmpty() && functions.pop().equals("randomblob")) {
      out.append(" AS BLOB)");
    }
  }

  private int skipBlanks(int from) {
    int to = from;
    while (to < sql.length() && Character.isWhitespace(sql.charAt(to))) {
      to++;
    }
    return to;
  }

  private static boolean isPartOfWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '$';
  }
}
