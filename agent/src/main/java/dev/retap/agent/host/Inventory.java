// What an API level of this device consists of, as lines of JSON: how many methods of the framework
// are its own code, which are stand-ins and why, which natives nobody plays, which services answer.
package dev.retap.agent.host;

import dev.retap.agent.rewrite.FrameworkClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

public final class Inventory {
  private final Map<String, Integer> counts = new TreeMap<>();
  private final Map<String, Set<String>> unplayed = new TreeMap<>();
  private final List<String> lines = new ArrayList<>();

  private Inventory() {}

  /** Writes the inventory of a level to a file. */
  public static void write(int apiLevel, Path androidJar, Path file) throws IOException {
    Inventory inventory = new Inventory();
    inventory.addShadows(new ShadowReport(apiLevel, ShadowList.read()).lines(androidJar));
    inventory.addFramework(apiLevel, androidJar);
    Files.write(file, inventory.lines);
  }

  /** Adds the shadow methods that apply: those of natives as a number, all others one by one. */
  private void addShadows(List<ShadowReport.Line> shadows) {
    for (ShadowReport.Line line : shadows) {
      count("shadows " + line.decision().name().toLowerCase());
      if (line.decision() == ShadowReport.Decision.LISTED
          || line.decision() == ShadowReport.Decision.OWN) {
        String cause = line.entry() == null ? "own" : line.entry().kind().name().toLowerCase();
        String reason = line.entry() == null ? "" : line.entry().reason();
        lines.add(
            json(
                "stand_in",
                "class",
                line.type(),
                "method",
                line.method(),
                "cause",
                cause.replace('_', '-'),
                "reason",
                reason));
      }
    }
    lines.sort(Comparator.naturalOrder());
  }

  private void addFramework(int apiLevel, Path androidJar) throws IOException {
    Set<String> played = new HashSet<>();
    for (ShadowReport.Line line : new ShadowReport(apiLevel, ShadowList.read()).lines(androidJar)) {
      if (line.decision() != ShadowReport.Decision.REJECTED) {
        played.add(line.type() + "." + line.method() + line.descriptor());
      }
    }
    Set<String> interfaces = new TreeSet<>();
    try (ZipFile android = new ZipFile(androidJar.toFile())) {
      for (ZipEntry entry :
          (Iterable<ZipEntry>) android.stream().map(it -> (ZipEntry) it)::iterator) {
        if (entry.getName().endsWith(".class")) {
          String type = entry.getName().replaceAll("\\.class$", "").replace('/', '.');
          addClass(type, FrameworkClass.read(android.getInputStream(entry).readAllBytes()), played);
          interfaces.add(type);
        }
      }
    }
    unplayed.forEach(
        (type, methods) ->
            lines.add(json("unplayed", "class", type, "methods", String.join(" ", methods))));
    PlayedServices.find()
        .forEach(
            (type, player) -> {
              if (interfaces.contains(type)) {
                lines.add(json("service", "interface", type, "player", player));
              }
            });
    counts.forEach((what, number) -> lines.add(json("count", "what", what, "n", "" + number)));
  }

  private void addClass(String type, FrameworkClass read, Set<String> played) {
    count("classes");
    for (FrameworkClass.Method method : read.methods()) {
      boolean isPlayed = played.contains(type + "." + method.name() + method.descriptor());
      if (!method.isNative()) {
        count(isPlayed ? "java stand-ins" : "java own code");
      } else if (isPlayed) {
        count("natives played");
      } else {
        count("natives unplayed");
        unplayed.computeIfAbsent(type, key -> new TreeSet<>()).add(method.name());
      }
    }
  }

  private void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  private static String json(String kind, String... fields) {
    StringBuilder line = new StringBuilder("{\"kind\":\"" + kind + '"');
    for (int i = 0; i < fields.length; i += 2) {
      String value = fields[i + 1].replace("\\", "\\\\").replace("\"", "\\\"");
      line.append(",\"").append(fields[i]).append("\":\"").append(value).append('"');
    }
    return line.append('}').toString();
  }
}
