// Which shadow methods an API level has, which of them apply, and why.
package dev.retap.agent.host;

import dev.retap.agent.rewrite.FrameworkClass;
import dev.retap.agent.rewrite.ShadowOutline;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

public final class ShadowReport {
  /** What becomes of a shadow's method. */
  public enum Decision {
    /** It applies, because the framework's method is native. */
    NATIVE,
    /** It applies, because it is listed. */
    LISTED,
    /** It applies, and is our own. */
    OWN,
    /** It does not apply: the framework's code runs. */
    REJECTED
  }

  /**
   * @param type the framework's class
   * @param method the framework's method
   * @param shadow the class that has the shadow method
   * @param entry why it applies, if it is listed
   */
  public record Line(
      String type,
      String method,
      String descriptor,
      String shadow,
      String shadowMethod,
      Decision decision,
      ShadowList.Entry entry) {}

  private final int apiLevel;
  private final ShadowList list;

  public ShadowReport(int apiLevel, ShadowList list) {
    this.apiLevel = apiLevel;
    this.list = list;
  }

  /** Lists the shadow methods that meet a method of the framework in the jar, sorted by class. */
  public List<Line> lines(Path androidJar) throws IOException {
    List<Line> lines = new ArrayList<>();
    Map<String, String> chosen = new TreeMap<>(ShadowChoice.all(apiLevel));
    Host.ownShadows(apiLevel)
        .forEach(own -> chosen.put(ShadowOutline.of(own.getName()).replaces(), own.getName()));
    try (ZipFile android = new ZipFile(androidJar.toFile())) {
      for (Map.Entry<String, String> choice : chosen.entrySet()) {
        ZipEntry file = android.getEntry(choice.getKey().replace('.', '/') + ".class");
        if (file == null) {
          continue;
        }
        try (InputStream in = android.getInputStream(file)) {
          FrameworkClass type = FrameworkClass.read(in.readAllBytes());
          for (FrameworkClass.Method method : type.methods()) {
            addLine(lines, choice.getKey(), method, ShadowOutline.of(choice.getValue()));
          }
        }
      }
    }
    return lines;
  }

  /** Looks for the shadow method as Robolectric does: in the shadow, then in its parent. */
  private void addLine(
      List<Line> lines, String type, FrameworkClass.Method method, ShadowOutline shadow) {
    for (ShadowOutline.Method candidate : shadow.methods()) {
      if (candidate.implemented().equals(method.name())
          && candidate.isFor(apiLevel)
          && method.fits(candidate.descriptor())) {
        ShadowList.Entry entry = list.find(shadow.name(), candidate.name());
        lines.add(
            new Line(
                type,
                method.name(),
                method.descriptor(),
                shadow.name(),
                candidate.name(),
                decision(method, shadow, entry),
                method.isNative() ? null : entry));
        return;
      }
    }
    if (!shadow.parent().equals(Object.class.getName())) {
      ShadowOutline parent = ShadowOutline.of(shadow.parent());
      if (parent.replaces().equals(type) && parent.isFor(apiLevel)) {
        addLine(lines, type, method, parent);
      }
    }
  }

  private static Decision decision(
      FrameworkClass.Method method, ShadowOutline shadow, ShadowList.Entry entry) {
    if (shadow.name().startsWith("dev.retap.")) {
      return Decision.OWN;
    }
    if (method.isNative()) {
      return Decision.NATIVE;
    }
    return entry == null ? Decision.REJECTED : Decision.LISTED;
  }
}
