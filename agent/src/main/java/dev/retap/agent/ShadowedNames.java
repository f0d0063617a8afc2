// Which methods of which framework classes may have a stand-in ("shadow"), read from the shadows'
// class files: they cannot be loaded yet when the class they stand in for is being defined. A class
// that a picker decides about counts as shadowed by every candidate of that picker.
package dev.retap.agent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.robolectric.annotation.Implements;
import org.robolectric.internal.ShadowProvider;

final class ShadowedNames {
  /** Shadows that may apply, by the canonical name of the class they stand in for. */
  private final Map<String, List<String>> candidates = new HashMap<>();

  private final Map<String, Names> known = new ConcurrentHashMap<>();

  /**
   * @param own shadows beside those that providers on the class path name
   */
  ShadowedNames(Collection<Class<?>> own) {
    for (ShadowProvider provider : ServiceLoader.load(ShadowProvider.class)) {
      provider.getShadows().forEach(entry -> add(entry.getKey(), entry.getValue()));
      provider
          .getShadowPickerMap()
          .forEach((type, picker) -> ShadowOutline.of(picker).mentioned().forEach(it -> add(type, it)));
    }
    for (Class<?> shadow : own) {
      Implements stands = shadow.getAnnotation(Implements.class);
      add(
          stands.className().isEmpty() ? stands.value().getName() : stands.className(),
          shadow.getName());
    }
  }

  private void add(String type, String shadow) {
    candidates.computeIfAbsent(canonical(type), key -> new ArrayList<>()).add(shadow);
  }

  /** Whether a call of this method can only reach the framework's own code. */
  boolean neverShadowed(String internalName, String method) {
    Names names = known.computeIfAbsent(canonical(internalName), this::namesFor);
    return !names.every && !names.some.contains(method);
  }

  private Names namesFor(String type) {
    boolean every = false;
    Set<String> some = new HashSet<>();
    for (String shadow : candidates.getOrDefault(type, List.of())) {
      for (String at = shadow; !at.equals("java.lang.Object"); ) {
        ShadowOutline outline = ShadowOutline.of(at);
        every |= outline.swallows();
        some.addAll(outline.methods());
        at = outline.parent();
      }
    }
    return new Names(every, some);
  }

  private static String canonical(String type) {
    return type.replace('/', '.').replace('$', '.');
  }

  /**
   * @param every whether a shadow swallows even the calls it does not implement
   */
  private record Names(boolean every, Set<String> some) {}
}
