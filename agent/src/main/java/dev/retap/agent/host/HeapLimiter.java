// Keeps the process small: collects garbage between two steps, before the heap grows. The JVM alone
// would fill all the memory that it may have, since that costs least.
package dev.retap.agent.host;

import dev.retap.agent.world.References;
import dev.retap.agent.world.jdk.NativeMemory;

public final class HeapLimiter {
  /** The size below which nothing is collected: three times what a working app holds. */
  private static final long LEAST_LIMIT = 300L << 20;

  /** The size at which references give up what they keep, though it is not a repeatable moment. */
  private static final long MOST = 600L << 20;

  /** The memory outside the heap that may be garbage. */
  private static final long MOST_NATIVE = 128L << 20;

  private final Runtime runtime = Runtime.getRuntime();
  private long limit = LEAST_LIMIT;

  /**
   * Collects garbage if the heap is over the limit, or much memory outside it was allocated. An app
   * that holds much gets twice that as its limit.
   */
  public void collectIfLarge() {
    if (used() > limit || NativeMemory.allocated() > MOST_NATIVE) {
      System.gc();
      NativeMemory.collected();
      if (used() > MOST) {
        References.collect();
      }
      limit = Math.max(LEAST_LIMIT, 2 * used());
    }
  }

  private long used() {
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
