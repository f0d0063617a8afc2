// The Java methods of framework classes that a shadow may replace. They are read from the shadows'
// class files, because a shadow cannot be loaded while the class that it replaces is being defined.
// A class with a picker counts as shadowed by every candidate of that picker.
package dev.retap.agent.rewrite;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.robolectric.annotation.Implements;
import org.robolectric.internal.ShadowProvider;

public final class ShadowedMethods {
  /** Shadows that may apply, by the canonical name of the class that they replace. */
  private final Map<String, List<String>> candidates = new HashMap<>();

  /** Pickers of shadows by the same name. Their class files are read when they are needed. */
  private final Map<String, List<String>> pickers = new HashMap<>();

  private final Map<String, Set<String>> known = new ConcurrentHashMap<>();
  private final BiPredicate<String, String> allowed;

  /**
   * @param own shadows in addition to those that providers on the class path name
   * @param allowed whether a method, given as shadow and name, may replace Java code
   */
  public ShadowedMethods(Collection<Class<?>> own, BiPredicate<String, String> allowed) {
    this.allowed = allowed;
    for (ShadowProvider provider : ServiceLoader.load(ShadowProvider.class)) {
      provider.getShadows().forEach(entry -> put(candidates, entry.getKey(), entry.getValue()));
      provider.getShadowPickerMap().forEach((type, picker) -> put(pickers, type, picker));
    }
    for (Class<?> shadow : own) {
      Implements annotation = shadow.getAnnotation(Implements.class);
      put(
          candidates,
          annotation.className().isEmpty() ? annotation.value().getName() : annotation.className(),
          shadow.getName());
    }
  }

  private static void put(Map<String, List<String>> map, String type, String shadow) {
    map.computeIfAbsent(canonical(type), key -> new ArrayList<>()).add(shadow);
  }

  /** Returns true if a shadow may take a call of this method, which is not native on a phone. */
  boolean canBeShadowed(String internalName, String method) {
    return known.computeIfAbsent(canonical(internalName), this::findNames).contains(method);
  }

  private Set<String> findNames(String type) {
    Set<String> names = new HashSet<>();
    List<String> shadows = new ArrayList<>(candidates.getOrDefault(type, List.of()));
    for (String picker : pickers.getOrDefault(type, List.of())) {
      shadows.addAll(ShadowOutline.of(picker).mentioned());
    }
    for (String shadow : shadows) {
      for (String at = shadow; !at.equals("java.lang.Object"); ) {
        ShadowOutline outline = ShadowOutline.of(at);
        for (ShadowOutline.Method method : outline.methods()) {
          if (allowed.test(at, method.name())) {
            names.add(method.implemented());
          }
        }
        at = outline.parent();
      }
    }
    return names;
  }

  private static String canonical(String type) {
    return type.replace('/', '.').replace('$', '.');
  }
}
