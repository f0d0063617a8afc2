// The place of an identity hash code in an object's header, also while the current thread holds the
// object's monitor: the JVM then keeps the header elsewhere, and the object points there. Whether
// this JVM does so is tried once.
package dev.retap.agent.world.memory;

import sun.misc.Unsafe;

public final class ObjectHeader {
  private static final Unsafe UNSAFE = UnsafeMemory.unsafe();
  private static final int SHIFT = 8;
  private static final long MASK = 0x7fffffffL;

  /** The header's low bits, which are UNLOCKED while no thread holds the object's monitor. */
  private static final long LOCK_BITS = 7;

  private static final long UNLOCKED = 1;

  /** The low bits of a header that points to where the JVM keeps the real one. */
  private static final long POINTER_BITS = 3;

  private static final long MONITOR = 2;

  /** No stack and no monitor lies below this address. */
  private static final long LEAST_ADDRESS = 1L << 16;

  /** Whether hashes can be written at all, and whether into headers of locked objects too. */
  public static final boolean IS_SUPPORTED = isHeaderAsExpected();

  private static final boolean LOCKED_IS_SUPPORTED = IS_SUPPORTED && isLockedHeaderAsExpected();

  private ObjectHeader() {}

  /** Returns true if the object has no hash yet and can be given one. */
  public static boolean isUnhashed(Object object) {
    long header = UNSAFE.getLong(object, 0L);
    if ((header & LOCK_BITS) == UNLOCKED) {
      return hashIn(header) == 0;
    }
    long moved = LOCKED_IS_SUPPORTED ? movedHeader(object, header) : 0;
    return moved != 0 && isUnhashed(UNSAFE.getLong(moved));
  }

  /** Writes a hash into the header of an object that has none. */
  public static void setHash(Object object, long hash) {
    long bits = (hash & MASK) == 0 ? 1 : hash & MASK;
    while (isUnhashed(object)) {
      long header = UNSAFE.getLong(object, 0L);
      long moved = movedHeader(object, header);
      if (moved != 0) {
        long kept = UNSAFE.getLong(moved);
        UNSAFE.compareAndSwapLong(null, moved, kept, kept | bits << SHIFT);
      } else if (isUnhashed(header)) {
        UNSAFE.compareAndSwapLong(object, 0L, header, header | bits << SHIFT);
      }
    }
  }

  /**
   * Returns the address of the header that the JVM has moved, 0 if it has not. It stays there as
   * long as the current thread holds the monitor; nothing can be said if another one does.
   */
  private static long movedHeader(Object object, long header) {
    long kind = header & POINTER_BITS;
    if (kind != 0 && kind != MONITOR || !Thread.holdsLock(object)) {
      return 0;
    }
    // The thread itself may have been the one that turned a light lock into a monitor.
    long address = UNSAFE.getLong(object, 0L) & ~POINTER_BITS;
    return address < LEAST_ADDRESS ? 0 : address;
  }

  private static boolean isUnhashed(long header) {
    return (header & LOCK_BITS) == UNLOCKED && hashIn(header) == 0;
  }

  private static long hashIn(long header) {
    return header >>> SHIFT & MASK;
  }

  private static boolean isHeaderAsExpected() {
    for (int i = 0; i < 3; i++) {
      Object probe = new Object();
      long before = UNSAFE.getLong(probe, 0L);
      int hash = System.identityHashCode(probe);
      long after = UNSAFE.getLong(probe, 0L);
      if (!isUnhashed(before) || hashIn(after) != hash) {
        return false;
      }
    }
    return true;
  }

  /** Tries a light lock, and a monitor that the JVM has made because of the hash. */
  private static boolean isLockedHeaderAsExpected() {
    Object probe = new Object();
    synchronized (probe) {
      long light = movedHeader(probe, UNSAFE.getLong(probe, 0L));
      if (light == 0 || !isUnhashed(UNSAFE.getLong(light))) {
        return false;
      }
      int hash = System.identityHashCode(probe);
      long monitor = movedHeader(probe, UNSAFE.getLong(probe, 0L));
      return monitor != 0 && hashIn(UNSAFE.getLong(monitor)) == hash;
    }
  }
}
