// Identity hash codes from the world seed. The JVM keeps a hash in the object's header once a
// caller has asked for it. Before a hash table or the app asks, this class writes one into the
// header: a function of the seed, the class and the number of its instances that were asked before.
package dev.retap.agent.world;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import sun.misc.Unsafe;

public final class IdentityHashes {
  private static final Unsafe UNSAFE = UnsafeMemory.unsafe();
  private static final int SHIFT = 8;
  private static final long MASK = 0x7fffffffL;

  /** The header's low bits, which are UNLOCKED while no thread holds the object's monitor. */
  private static final long LOCK_BITS = 7;

  private static final long UNLOCKED = 1;
  private static final boolean IS_SUPPORTED = isHeaderAsExpected();

  /** The parts of class names after which the JVM puts a number. */
  private static final String[] GENERATED = {"$$Lambda", "$Proxy"};

  private static final Map<String, int[]> COUNTS = new ConcurrentHashMap<>();
  private static volatile boolean active;
  private static long seed;

  private IdentityHashes() {}

  static void begin(long worldSeed) {
    seed = worldSeed;
    COUNTS.clear();
    active = IS_SUPPORTED;
  }

  static void end() {
    active = false;
  }

  public static int of(Object object) {
    ensureHash(object);
    return System.identityHashCode(object);
  }

  public static int hashCode(Object object) {
    ensureHash(object);
    return object.hashCode();
  }

  /** Gives an object of an app thread its hash, unless it has one. */
  public static void ensureHash(Object object) {
    // isAppThread looks threads up in a hash table, so they get their hashes when they start.
    if (!active
        || object == null
        || object instanceof String
        || object instanceof Number
        || object instanceof Thread) {
      return;
    }
    if (isUnhashed(object) && Scheduler.isAppThread()) {
      assign(object);
    }
  }

  /** Writes a hash into the header of an object that has none. */
  static void assign(Object object) {
    if (!active) {
      return;
    }
    long header = UNSAFE.getLong(object, 0L);
    long hash = hash(object) & MASK;
    hash = hash == 0 ? 1 : hash;
    while (isUnhashed(header)
        && !UNSAFE.compareAndSwapLong(object, 0L, header, header | hash << SHIFT)) {
      header = UNSAFE.getLong(object, 0L);
    }
  }

  private static boolean isUnhashed(Object object) {
    return isUnhashed(UNSAFE.getLong(object, 0L));
  }

  private static boolean isUnhashed(long header) {
    return (header & LOCK_BITS) == UNLOCKED && (header >>> SHIFT & MASK) == 0;
  }

  /**
   * Computes a hash. Classes and enum constants outlive worlds, so theirs depend on their names
   * alone.
   */
  private static long hash(Object object) {
    if (object instanceof Class<?> type) {
      return WorldRandom.mix(stableName(type.getName()).hashCode());
    }
    String name = stableName(object.getClass().getName());
    if (object instanceof Enum<?> constant) {
      return WorldRandom.mix(name.hashCode() * 31L + constant.ordinal());
    }
    int[] count = COUNTS.get(name);
    if (count == null) {
      count = new int[1];
      COUNTS.put(name, count);
    }
    return WorldRandom.mix(seed + name.hashCode() * 0x9e3779b97f4a7c15L + ++count[0]);
  }

  /**
   * Returns the name without the number that the JVM gives to each class of a lambda or a proxy.
   */
  private static String stableName(String name) {
    for (String generated : GENERATED) {
      int at = name.indexOf(generated);
      if (at >= 0) {
        return name.substring(0, at + generated.length());
      }
    }
    return name;
  }

  private static boolean isHeaderAsExpected() {
    for (int i = 0; i < 3; i++) {
      Object probe = new Object();
      long before = UNSAFE.getLong(probe, 0L);
      int hash = System.identityHashCode(probe);
      long after = UNSAFE.getLong(probe, 0L);
      if (!isUnhashed(before) || (after >>> SHIFT & MASK) != hash) {
        return false;
      }
    }
    return true;
  }
}
