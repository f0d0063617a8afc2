// Memory outside the heap that objects of the heap own, such as the pixels of bitmaps. It is freed
// when its owner is collected, but the JVM does not see it and would wait too long.
package dev.retap.agent.world.jdk;

import java.util.concurrent.atomic.AtomicLong;

public final class NativeMemory {
  private static final AtomicLong ALLOCATED = new AtomicLong();

  private NativeMemory() {}

  /** Notes memory that an object has got. */
  public static void allocate(long bytes) {
    ALLOCATED.addAndGet(bytes);
  }

  /** Returns the bytes that objects have got since the last collection. */
  public static long allocated() {
    return ALLOCATED.get();
  }

  /** Begins to count anew, after a collection. */
  public static void collected() {
    ALLOCATED.set(0);
  }
}
