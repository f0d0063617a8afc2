// Identity hash codes from the world seed. The JVM keeps a hash in the object's header once it has
// been asked for; before a hash table or the app asks, the header is given one here: a function of
// the seed, the class and how many of its instances were asked before.
package dev.retap.agent.world;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import sun.misc.Unsafe;

public final class Identity {
  private static final Unsafe UNSAFE = Memory.unsafe();
  private static final int SHIFT = 8;
  private static final long MASK = 0x7fffffffL;

  /** The header's low bits while nobody holds the object's monitor. */
  private static final long LOCK_BITS = 7;

  private static final long UNLOCKED = 1;
  private static final boolean WORKS = headerIsAsExpected();

  private static final String[] GENERATED = {"$$Lambda", "$Proxy"};

  private static final Map<String, int[]> COUNTS = new ConcurrentHashMap<>();
  private static volatile boolean active;
  private static long seed;

  private Identity() {}

  static void begin(long worldSeed) {
    seed = worldSeed;
    COUNTS.clear();
    active = WORKS;
  }

  static void end() {
    active = false;
  }

  public static int of(Object object) {
    touch(object);
    return System.identityHashCode(object);
  }

  public static int hashCode(Object object) {
    touch(object);
    return object.hashCode();
  }

  public static void touch(Object object) {
    // Threads are the keys by which the question "whose thread is this?" is answered below; they
    // get theirs when they start.
    if (!active
        || object == null
        || object instanceof String
        || object instanceof Number
        || object instanceof Thread) {
      return;
    }
    if (unhashed(object) && Chance.mine()) {
      assign(object);
    }
  }

  static void assign(Object object) {
    if (!active) {
      return;
    }
    long header = UNSAFE.getLong(object, 0L);
    long hash = hash(object) & MASK;
    hash = hash == 0 ? 1 : hash;
    while (unhashed(header)
        && !UNSAFE.compareAndSwapLong(object, 0L, header, header | hash << SHIFT)) {
      header = UNSAFE.getLong(object, 0L);
    }
  }

  private static boolean unhashed(Object object) {
    return unhashed(UNSAFE.getLong(object, 0L));
  }

  private static boolean unhashed(long header) {
    return (header & LOCK_BITS) == UNLOCKED && (header >>> SHIFT & MASK) == 0;
  }

  /** Classes and enum constants outlive worlds, so theirs depend on nothing else. */
  private static long hash(Object object) {
    if (object instanceof Class<?> type) {
      return Chance.mix(stable(type.getName()).hashCode());
    }
    String name = stable(object.getClass().getName());
    if (object instanceof Enum<?> constant) {
      return Chance.mix(name.hashCode() * 31L + constant.ordinal());
    }
    int[] count = COUNTS.get(name);
    if (count == null) {
      count = new int[1];
      COUNTS.put(name, count);
    }
    return Chance.mix(seed + name.hashCode() * 0x9e3779b97f4a7c15L + ++count[0]);
  }

  /** Without the numbers that the JVM gives to the classes of lambdas and proxies as it meets them. */
  private static String stable(String name) {
    for (String generated : GENERATED) {
      int at = name.indexOf(generated);
      if (at >= 0) {
        return name.substring(0, at + generated.length());
      }
    }
    return name;
  }

  private static boolean headerIsAsExpected() {
    for (int i = 0; i < 3; i++) {
      Object probe = new Object();
      long before = UNSAFE.getLong(probe, 0L);
      int hash = System.identityHashCode(probe);
      long after = UNSAFE.getLong(probe, 0L);
      if (!unhashed(before) || (after >>> SHIFT & MASK) != hash) {
        return false;
      }
    }
    return true;
  }
}
