// The probes of the running app: one array per counted class. The app's own threads set them and
// the agent collects them after every step, so both share this one class.
package dev.retap.agent.coverage;

import dev.retap.agent.wire.Packet;
import java.util.Arrays;

public final class Probes {
  private static int[] counts = {};
  private static boolean[][] live = {};
  private static boolean[] none = {};

  private Probes() {}

  /** True once the app may run. */
  private static volatile boolean sealed;

  /**
   * Hands out the right to collect. The app shares this class, so that nobody gets it once the app
   * may run.
   */
  public static Collector collector() {
    if (sealed) {
      throw new IllegalStateException("the app runs already");
    }
    return new Collector();
  }

  /** Gives an app that restarts new arrays; threads of the old process keep the old ones. */
  public static void forget() {
    sealed = true;
    live = new boolean[counts.length][];
  }

  /** Returns the array of a class. The first line of each of its methods calls this. */
  public static boolean[] of(int classIndex) {
    boolean[] probes = live[classIndex];
    return probes == null ? create(classIndex) : probes;
  }

  /** Returns an array that is never collected, for code that runs at unrepeatable moments. */
  public static boolean[] uncounted(int classIndex) {
    return new boolean[counts[classIndex]];
  }

  private static synchronized boolean[] create(int classIndex) {
    boolean[][] arrays = live;
    if (arrays[classIndex] == null) {
      arrays[classIndex] = new boolean[counts[classIndex]];
    }
    return arrays[classIndex];
  }

  /** Counts, collects and clears the probes. */
  public static final class Collector {
    private Collector() {}

    /** Sets the number of probes of each counted class, once per process. */
    public void count(int[] probesOfClasses) {
      counts = probesOfClasses;
      none = new boolean[Arrays.stream(probesOfClasses).max().orElse(0)];
      live = new boolean[counts.length][];
    }

    /** Writes the probes that were set since the last call (docs/agent.md), and clears them. */
    public void drain(Packet out) {
      boolean[][] arrays = live;
      int last = 0;
      for (int index = 0; index < arrays.length; index++) {
        boolean[] probes = arrays[index];
        // Most classes do not run during most events, and this comparison skips them at the speed
        // of
        // memory.
        int at = probes == null ? -1 : nextSet(probes, 0);
        if (at >= 0) {
          out.number(index + 1 - last);
          last = index + 1;
          Probes.drain(probes, at, out);
        }
      }
      out.number(0);
    }

    /** Clears the probes that were set since the last call, because they belong to no event. */
    public void clear() {
      for (boolean[] probes : live) {
        if (probes != null) {
          Arrays.fill(probes, false);
        }
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
