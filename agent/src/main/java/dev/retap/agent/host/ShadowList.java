// The list of Robolectric's shadow methods that replace Java code of the framework, each with its
// reason. A shadow of a native method needs no entry; every other shadow method that is not listed
// is off, and the framework's own code runs.
package dev.retap.agent.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public final class ShadowList {
  private static final String FILE = "shadows.txt";
  private static final String EVERY_METHOD = "*";
  private static final String SHADOWS = "org.robolectric.shadows.";
  private static final String OWN = "dev.retap.agent.shadow.";

  /** Why the framework's own code cannot run. */
  public enum Kind {
    /** It reads or writes state that is native on a phone, and the shadow has that state. */
    NATIVE_STATE,
    /** It asks a service that nobody plays here. */
    NO_SERVICE,
    /** The device acts through it: time, loopers, windows, packages. */
    DEVICE_HOOK,
    /** It is correct but far too slow here. */
    SPEED,
    /** It can: an exception from an entry for all methods. */
    REAL
  }

  /**
   * @param shadow the shadow's name without its package
   * @param method a method of it, or * for all
   */
  public record Entry(String shadow, String method, Kind kind, String reason) {}

  private final List<Entry> entries;
  private final Map<String, Entry> byName = new HashMap<>();

  private ShadowList(List<Entry> entries) {
    this.entries = List.copyOf(entries);
    entries.forEach(entry -> byName.put(entry.shadow + "." + entry.method, entry));
  }

  public static ShadowList read() {
    List<Entry> entries = new ArrayList<>();
    try (InputStream file = ShadowList.class.getResourceAsStream(FILE);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (!line.isBlank() && !line.startsWith("#")) {
          entries.add(parse(line));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ShadowList(entries);
  }

  /** Reads a line such as {@code ShadowLog.println_native native-state the log is the device's}. */
  private static Entry parse(String line) {
    String[] words = line.split(" +", 3);
    int dot = words[0].lastIndexOf('.');
    if (words.length < 3 || dot < 0) {
      throw new IllegalArgumentException("not 'Shadow.method kind reason': " + line);
    }
    Kind kind = Kind.valueOf(words[1].toUpperCase().replace('-', '_'));
    return new Entry(words[0].substring(0, dot), words[0].substring(dot + 1), kind, words[2]);
  }

  public List<Entry> entries() {
    return entries;
  }

  /** Returns true if the method of the shadow may replace Java code. Our own shadows always may. */
  public boolean allows(String shadow, String method) {
    return shadow.startsWith(OWN) || find(shadow, method) != null;
  }

  /** Returns the entry that lets a method of a shadow apply, or null. */
  public Entry find(String shadow, String method) {
    if (!shadow.startsWith(SHADOWS)) {
      return null;
    }
    String name = shadow.substring(SHADOWS.length());
    Entry exact = byName.get(name + "." + method);
    Entry entry = exact != null ? exact : byName.get(name + "." + EVERY_METHOD);
    return entry == null || entry.kind == Kind.REAL ? null : entry;
  }
}
