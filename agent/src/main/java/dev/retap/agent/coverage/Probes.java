// The probes of the running app: one array per counted class, set by the app's own threads and
// collected after every step. The app's classes and the agent share this one copy.
package dev.retap.agent.coverage;

import dev.retap.agent.wire.Packet;
import java.util.Arrays;

public final class Probes {
  private static int[] counts = {};
  private static boolean[][] live = {};
  private static boolean[] none = {};

  private Probes() {}

  /** The number of probes of each counted class, once per process. */
  public static void count(int[] probesOfClasses) {
    counts = probesOfClasses;
    none = new boolean[Arrays.stream(probesOfClasses).max().orElse(0)];
    forget();
  }

  /** Arrays of its own for an app that starts anew. */
  public static void forget() {
    live = new boolean[counts.length][];
  }

  /** The array of a class; the first line of each of its methods asks for it. */
  public static boolean[] of(int classIndex) {
    boolean[] probes = live[classIndex];
    return probes == null ? first(classIndex) : probes;
  }

  /** An array nobody looks at, for code that runs when nobody can tell. */
  public static boolean[] unseen(int classIndex) {
    return new boolean[counts[classIndex]];
  }

  private static synchronized boolean[] first(int classIndex) {
    boolean[][] arrays = live;
    if (arrays[classIndex] == null) {
      arrays[classIndex] = new boolean[counts[classIndex]];
    }
    return arrays[classIndex];
  }

  /** Writes the probes that were set since the last call, and clears them (docs/agent.md). */
  public static void drain(Packet out) {
    boolean[][] arrays = live;
    int last = 0;
    for (int index = 0; index < arrays.length; index++) {
      boolean[] probes = arrays[index];
      // Most classes of an app rest during most events: a comparison at the speed of memory.
      int at = probes == null ? -1 : nextSet(probes, 0);
      if (at >= 0) {
        out.number(index + 1 - last);
        last = index + 1;
        drain(probes, at, out);
      }
    }
    out.number(0);
  }

  /** What was set since the last call belongs to no event. */
  public static void clear() {
    for (boolean[] probes : live) {
      if (probes != null) {
        Arrays.fill(probes, false);
      }
    }
  }

  private static void drain(boolean[] probes, int first, Packet out) {
    int last = 0;
    for (int at = first; at >= 0; at = nextSet(probes, at + 1)) {
      probes[at] = false;
      out.number(at + 1 - last);
      last = at + 1;
    }
    out.number(0);
  }

  private static int nextSet(boolean[] probes, int from) {
    int length = probes.length;
    int at = Arrays.mismatch(probes, from, length, none, 0, length - from);
    return at < 0 ? -1 : from + at;
  }
}
