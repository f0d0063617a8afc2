// The methods of framework classes that a shadow may replace. They are read from the shadows' class
// files, because a shadow cannot be loaded while the class that it replaces is being defined. A
// class with a picker counts as shadowed by every candidate of that picker.
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
import org.robolectric.annotation.Implements;
import org.robolectric.internal.ShadowProvider;

public final class ShadowedMethods {
  /** Shadows that may apply, by the canonical name of the class that they replace. */
  private final Map<String, List<String>> candidates = new HashMap<>();

  private final Map<String, Names> known = new ConcurrentHashMap<>();

  /**
   * @param own shadows in addition to those that providers on the class path name
   */
  public ShadowedMethods(Collection<Class<?>> own) {
    for (ShadowProvider provider : ServiceLoader.load(ShadowProvider.class)) {
      provider.getShadows().forEach(entry -> add(entry.getKey(), entry.getValue()));
      provider
          .getShadowPickerMap()
          .forEach(
              (type, picker) -> ShadowOutline.of(picker).mentioned().forEach(it -> add(type, it)));
    }
    for (Class<?> shadow : own) {
      Implements annotation = shadow.getAnnotation(Implements.class);
      add(
          annotation.className().isEmpty() ? annotation.value().getName() : annotation.className(),
          shadow.getName());
    }
  }

  private void add(String type, String shadow) {
    candidates.computeIfAbsent(canonical(type), key -> new ArrayList<>()).add(shadow);
  }

  /** Returns true if a shadow may take a call of this method. */
  boolean canBeShadowed(String internalName, String method) {
    Names names = known.computeIfAbsent(canonical(internalName), this::findNames);
    return names.every || names.some.contains(method);
  }

  private Names findNames(String type) {
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
   * @param every whether a shadow swallows even calls that it does not implement
   * @param some the methods that a shadow implements
   */
  private record Names(boolean every, Set<String> some) {}
}
