// The probes of the running app: one array per class. The first line of each counted method asks
// for the array of its class.
package dev.retap.probes;

public final class Probes {
  private static final int FEW = 64;

  private static volatile boolean[][] live = new boolean[FEW][];

  private Probes() {}

  /** Returns the array of a class. */
  public static boolean[] of(int classIndex, int count) {
    boolean[][] arrays = live;
    boolean[] probes = classIndex < arrays.length ? arrays[classIndex] : null;
    return probes == null ? create(classIndex, count) : probes;
  }

  /** Returns an array that is never collected, for code that runs at unrepeatable moments. */
  public static boolean[] uncounted(int classIndex, int count) {
    return new boolean[count];
  }

  private static synchronized boolean[] create(int classIndex, int count) {
    boolean[][] arrays = live;
    if (classIndex >= arrays.length) {
      boolean[][] more = new boolean[Math.max(classIndex + 1, 2 * arrays.length)][];
      System.arraycopy(arrays, 0, more, 0, arrays.length);
      arrays = more;
    }
    if (arrays[classIndex] == null) {
      arrays[classIndex] = new boolean[count];
    }
    // Also tells other threads of the new array.
    live = arrays;
    return arrays[classIndex];
  }

  /**
   * Returns a copy of the probes of a class, or null if none of them was executed. Threads that run
   * meanwhile lose nothing: only probes that are in the copy are cleared.
   */
  static boolean[] copy(int classIndex, boolean clears) {
    boolean[][] arrays = live;
    boolean[] probes = classIndex < arrays.length ? arrays[classIndex] : null;
    if (probes == null) {
      return null;
    }
    boolean[] copy = null;
    for (int i = 0; i < probes.length; i++) {
      if (probes[i]) {
        copy = copy == null ? new boolean[probes.length] : copy;
        copy[i] = true;
        probes[i] = !clears;
      }
    }
    return copy;
  }
}
