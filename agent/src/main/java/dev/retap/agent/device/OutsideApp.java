// One stand-in app: its package and the intents it takes, written `package=actions;schemes;types`
// (comma lists, an empty list takes anything, a type ending in `*` is a prefix).
package dev.retap.agent.device;

import android.content.Intent;
import java.util.List;

record OutsideApp(String name, List<String> actions, List<String> schemes, List<String> types) {
  static OutsideApp parse(String text) {
    int equals = text.indexOf('=');
    String[] lists = text.substring(equals + 1).split(";", -1);
    return new OutsideApp(
        text.substring(0, equals), list(lists, 0), list(lists, 1), list(lists, 2));
  }

  boolean takes(Intent intent) {
    String action = intent.getAction();
    if (action == null || actions.stream().noneMatch(a -> matches(a, action))) {
      return false;
    }
    String scheme = intent.getScheme();
    String type = intent.getType();
    boolean schemeFits = schemes.isEmpty() || scheme != null && schemes.contains(scheme);
    boolean typeFits = types.isEmpty() || type != null && types.stream().anyMatch(t -> matches(t, type));
    return schemes.isEmpty() || types.isEmpty() ? schemeFits && typeFits : schemeFits || typeFits;
  }

  private static boolean matches(String pattern, String value) {
    return pattern.endsWith("*")
        ? value.startsWith(pattern.substring(0, pattern.length() - 1))
        : pattern.equals(value);
  }

  private static List<String> list(String[] lists, int index) {
    return index >= lists.length || lists[index].isEmpty()
        ? List.of()
        : List.of(lists[index].split(","));
  }
}
