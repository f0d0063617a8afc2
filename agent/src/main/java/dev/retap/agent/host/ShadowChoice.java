// The shadow that each framework class has on an API level, by Robolectric's own rules for the
// modes of this device: native graphics from API 26, native SQLite, paused loopers.
package dev.retap.agent.host;

import dev.retap.agent.rewrite.ShadowOutline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.robolectric.internal.ShadowProvider;

final class ShadowChoice {
  private static final int FIRST_WITH_NATIVE_GRAPHICS = 26;

  private ShadowChoice() {}

  /** Returns the names of shadows by the name of the class that they replace. */
  static Map<String, String> all(int apiLevel) {
    Map<String, String> chosen = new TreeMap<>();
    for (ShadowProvider provider : ServiceLoader.load(ShadowProvider.class)) {
      provider
          .getShadows()
          .forEach(
              entry -> {
                ShadowOutline shadow = ShadowOutline.of(entry.getValue());
                if (shadow.isFor(apiLevel)) {
                  chosen.putIfAbsent(shadow.replaces(), shadow.name());
                }
              });
      provider
          .getShadowPickerMap()
          .forEach(
              (type, picker) -> {
                ShadowOutline shadow = pick(ShadowOutline.of(picker), apiLevel);
                if (shadow != null && shadow.isFor(apiLevel)) {
                  chosen.put(type, shadow.name());
                } else {
                  chosen.remove(type);
                }
              });
    }
    return chosen;
  }

  private static ShadowOutline pick(ShadowOutline picker, int apiLevel) {
    List<ShadowOutline> candidates = new ArrayList<>();
    picker.mentioned().forEach(name -> candidates.add(ShadowOutline.of(name)));
    String rule = picker.parent().substring(picker.parent().lastIndexOf('.') + 1);
    switch (rule) {
      case "GraphicsShadowPicker":
        boolean isNative = apiLevel >= FIRST_WITH_NATIVE_GRAPHICS;
        boolean hasLegacy = candidates.size() > 1;
        return isNative
            ? candidates.get(candidates.size() - 1)
            : hasLegacy ? candidates.get(0) : null;
      case "ResourceModeShadowPicker":
        candidates.removeIf(candidate -> candidate.name().contains("ShadowNative"));
        Collections.reverse(candidates);
        return candidates.stream()
            .filter(it -> isForResources(it, apiLevel))
            .findFirst()
            .orElse(null);
      default:
        return candidates.get(candidates.size() - 1);
    }
  }

  /** The number at the end of the name is the first version of Android that it is for. */
  private static boolean isForResources(ShadowOutline shadow, int apiLevel) {
    if (shadow.name().endsWith("14")) {
      return apiLevel >= 34;
    }
    if (shadow.name().endsWith("10")) {
      return apiLevel >= 29;
    }
    return apiLevel >= 28 || !shadow.name().endsWith("9");
  }
}
