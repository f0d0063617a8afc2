// One stand-in app: its package and the intents it takes, written
// `package=actions;schemes;types`. The lists are separated by commas, an empty list takes
// anything, and `*` ends a prefix. The package manager gets the same as intent filters, so that
// what can be resolved can be started.
package dev.retap.agent.device.outside;

import android.content.Intent;
import android.content.IntentFilter;
import dev.retap.agent.device.reflect.FrameworkCalls;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

record OutsideApp(String name, List<String> actions, List<String> schemes, List<String> types) {
  /** Classes that list the actions which a pattern such as `android.settings.*` stands for. */
  private static final List<String> ACTION_LISTS =
      List.of("android.provider.Settings", "android.provider.MediaStore", "android.content.Intent");

  /** Patterns expanded so far. Filters are needed at every reset; the lists never change. */
  private static final Map<String, Set<String>> EXPANDED = new HashMap<>();

  /** Reads one app in the notation above. */
  static OutsideApp parse(String text) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw new IllegalArgumentException("not package=actions;schemes;types: " + text);
    }
    String[] lists = text.substring(equals + 1).split(";", -1);
    return new OutsideApp(
        text.substring(0, equals), list(lists, 0), list(lists, 1), list(lists, 2));
  }

  /** Returns the name that a launcher shows: `com.android.camera2` is Camera. */
  String label() {
    String last = name.substring(name.lastIndexOf('.') + 1).replaceAll("[0-9]+[a-z]*$", "");
    return last.isEmpty() ? name : Character.toUpperCase(last.charAt(0)) + last.substring(1);
  }

  /** Returns true if the app takes the intent. */
  boolean takes(Intent intent) {
    String action = intent.getAction();
    boolean isAddressed = intent.getPackage() == null || intent.getPackage().equals(name);
    if (!isAddressed || action == null || actions.stream().noneMatch(a -> matches(a, action))) {
      return false;
    }
    String scheme = intent.getScheme();
    String type = intent.getType();
    boolean schemeFits = schemes.isEmpty() || scheme != null && schemes.contains(scheme);
    boolean typeFits =
        types.isEmpty() || type != null && types.stream().anyMatch(t -> matches(t, type));
    return schemeFits && typeFits;
  }

  /**
   * Returns the app's intent filters. A filter without data does not match an intent that has a
   * type, and the host does not look up the type of content. An app that takes anything, or content
   * by its type, therefore needs a second filter.
   */
  List<IntentFilter> filters() throws IntentFilter.MalformedMimeTypeException {
    List<IntentFilter> filters = new ArrayList<>(List.of(filter(types)));
    if (schemes.isEmpty() && types.isEmpty()) {
      filters.add(filter(List.of("*/*")));
    }
    IntentFilter content = filter(List.of());
    types.forEach(
        type ->
            StockMimeTypes.authorities(type)
                .forEach(authority -> content.addDataAuthority(authority, null)));
    if (content.countDataAuthorities() > 0) {
      content.addDataScheme("content");
      filters.add(content);
    }
    return filters;
  }

  private IntentFilter filter(List<String> types) throws IntentFilter.MalformedMimeTypeException {
    IntentFilter filter = new IntentFilter();
    actions.forEach(
        pattern ->
            EXPANDED.computeIfAbsent(pattern, OutsideApp::expand).forEach(filter::addAction));
    filter.addCategory(Intent.CATEGORY_DEFAULT);
    filter.addCategory(Intent.CATEGORY_BROWSABLE);
    filter.addCategory(Intent.CATEGORY_OPENABLE);
    schemes.forEach(filter::addDataScheme);
    for (String type : types) {
      filter.addDataType(type);
    }
    return filter;
  }

  private static Set<String> expand(String pattern) {
    Set<String> actions = new LinkedHashSet<>();
    if (!pattern.endsWith("*")) {
      actions.add(pattern);
      return actions;
    }
    for (String owner : ACTION_LISTS) {
      for (Field field : FrameworkCalls.type(owner).getFields()) {
        if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
          String value = text(field);
          if (value != null && matches(pattern, value)) {
            actions.add(value);
          }
        }
      }
    }
    return actions;
  }

  private static String text(Field field) {
    try {
      return (String) field.get(null);
    } catch (IllegalAccessException e) {
      throw new LinkageError(field.toString(), e);
    }
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
