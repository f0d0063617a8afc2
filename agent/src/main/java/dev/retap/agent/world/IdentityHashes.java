// Identity hash codes from the world seed. The JVM keeps a hash in the object's header once a
// caller has asked for it. Before a hash table or the app asks, this class writes one into the
// header: a function of the seed, the class and the number of its instances that were asked before.
package dev.retap.agent.world;

import dev.retap.agent.world.memory.ObjectHeader;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public final class IdentityHashes {
  /** The parts of class names after which the JVM puts a number. */
  private static final String[] GENERATED = {"$$Lambda", "$Proxy"};

  private static final Map<String, int[]> COUNTS = new ConcurrentHashMap<>();
  private static volatile boolean active;
  private static long seed;

  private IdentityHashes() {}

  static void begin(long worldSeed) {
    seed = worldSeed;
    COUNTS.clear();
    active = ObjectHeader.IS_SUPPORTED;
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

  /**
   * Gives an object of an app thread its hash, unless it has one. Classes and enum constants get
   * theirs on any thread: whoever asks first, the app may see the answer.
   */
  public static void ensureHash(Object object) {
    if (object == null || object instanceof String || object instanceof Number) {
      return;
    }
    if (isNamed(object)) {
      if (ObjectHeader.IS_SUPPORTED && ObjectHeader.isUnhashed(object)) {
        ObjectHeader.setHash(object, hash(object));
      }
      return;
    }
    // isAppThread looks threads up in a hash table, so they get their hashes when they start.
    if (active
        && !(object instanceof Thread)
        && ObjectHeader.isUnhashed(object)
        && Scheduler.isAppThread()) {
      assign(object);
    }
  }

  /** Writes a hash into the header of an object that has none. */
  static void assign(Object object) {
    if (active && ObjectHeader.isUnhashed(object)) {
      ObjectHeader.setHash(object, hash(object));
    }
  }

  /** Returns true for what outlives worlds and has a name: its hash depends on that alone. */
  private static boolean isNamed(Object object) {
    return object instanceof Class<?> || object instanceof Enum<?>;
  }

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
}
