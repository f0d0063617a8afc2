// Keeps the process small: between two steps garbage is collected before the heap grows for it. Left
// alone the JVM fills all that it may have, since that costs least.
package dev.retap.agent;

final class Heap {
  /** An app at work holds a third of this. */
  private static final long ROOMY = 300L << 20;

  private final Runtime runtime = Runtime.getRuntime();
  private long most = ROOMY;

  /** Where much is alive, twice that is left alone: collecting would free little. */
  void tidy() {
    if (used() > most) {
      System.gc();
      most = Math.max(ROOMY, 2 * used());
    }
  }

  private long used() {
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
