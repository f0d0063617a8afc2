// `settings`, `content` and `getprop`: what the phone is set to.
package dev.retap.agent.device.instrument.shell;

import android.content.ContentResolver;
import android.os.SystemProperties;
import android.provider.Settings;
import java.util.List;
import java.util.Set;
import org.robolectric.RuntimeEnvironment;

final class SettingsCommands {
  private static final Set<String> TABLES = Set.of("global", "secure", "system");
  private static final String SETTINGS = "content://settings/";

  private SettingsCommands() {}

  static ShellAnswer settings(List<String> all) {
    List<String> words = all.stream().filter(word -> !word.startsWith("--")).toList();
    String table = words.get(1);
    if (!TABLES.contains(table)) {
      return ShellAnswer.complain("Invalid namespace '" + table + "'");
    }
    String name = words.get(2);
    switch (words.get(0)) {
      case "get":
        return ShellAnswer.of(read(table, name) + "\n");
      case "put":
        write(table, name, words.get(3));
        return ShellAnswer.NOTHING;
      case "delete":
        int gone = read(table, name) == null ? 0 : 1;
        write(table, name, null);
        return ShellAnswer.of("Deleted " + gone + " rows\n");
      default:
        return ShellAnswer.complain("Invalid command: " + words.get(0));
    }
  }

  /** Runs `content insert --uri content://settings/TABLE --bind name:s:NAME --bind value:s:V`. */
  static ShellAnswer content(List<String> words) {
    String uri = words.get(words.indexOf("--uri") + 1);
    boolean writes = Set.of("insert", "update").contains(words.get(0));
    if (!writes || !uri.startsWith(SETTINGS) || !TABLES.contains(table(uri))) {
      return ShellAnswer.complain("content: this phone inserts into " + SETTINGS + " alone");
    }
    write(table(uri), bound(words, "name"), bound(words, "value"));
    return ShellAnswer.NOTHING;
  }

  private static String table(String uri) {
    return uri.substring(SETTINGS.length());
  }

  private static String bound(List<String> words, String column) {
    for (int i = 1; i < words.size(); i++) {
      String word = words.get(i);
      if (words.get(i - 1).equals("--bind") && word.startsWith(column + ":")) {
        return word.substring(word.indexOf(':', column.length() + 1) + 1);
      }
    }
    throw new IllegalArgumentException("no " + column);
  }

  static ShellAnswer property(List<String> words) {
    String otherwise = words.size() > 1 ? words.get(1) : "";
    return ShellAnswer.of(SystemProperties.get(words.get(0), otherwise) + "\n");
  }

  static ShellAnswer setProperty(List<String> words) {
    if (words.get(0).startsWith("ro.")) {
      return ShellAnswer.complain("setprop: failed to set property '" + words.get(0) + "'");
    }
    SystemProperties.set(words.get(0), words.get(1));
    return ShellAnswer.NOTHING;
  }

  private static String read(String table, String name) {
    ContentResolver resolver = resolver();
    return switch (table) {
      case "global" -> Settings.Global.getString(resolver, name);
      case "secure" -> Settings.Secure.getString(resolver, name);
      default -> Settings.System.getString(resolver, name);
    };
  }

  private static void write(String table, String name, String value) {
    ContentResolver resolver = resolver();
    switch (table) {
      case "global" -> Settings.Global.putString(resolver, name, value);
      case "secure" -> Settings.Secure.putString(resolver, name, value);
      default -> Settings.System.putString(resolver, name, value);
    }
  }

  private static ContentResolver resolver() {
    return RuntimeEnvironment.getApplication().getContentResolver();
  }
}
