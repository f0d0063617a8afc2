// Everything random, from the world seed. Two streams, so that a number drawn by the app does not
// change the order of its threads.
package dev.retap.agent.world;

import java.lang.reflect.Field;
import java.util.concurrent.ThreadLocalRandom;
import sun.misc.Unsafe;

public final class Chance {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;
  private static final long HASHES = 0x5851f42d4c957f2dL;
  private static final Unsafe UNSAFE = Memory.unsafe();
  private static final long THREAD_SEED = threadSeedOffset();

  private static long orders;
  private static long values;
  private static long steps;
  static long seed;

  private Chance() {}

  static void begin(long worldSeed) {
    seed = mix(worldSeed + GOLDEN);
    steps = 0;
    step();
    Identity.begin(mix(seed ^ HASHES));
  }

  /**
   * Every step begins its own streams. What the framework draws when this process first uses a part
   * of it would else shift all that the app draws from then on.
   */
  static void step() {
    long key = mix(seed + steps++ * GOLDEN);
    orders = mix(key ^ 1);
    values = mix(key ^ 2);
  }

  static void end() {
    Identity.end();
  }

  /** One of n, for the scheduler. */
  static int order(int n) {
    orders += GOLDEN;
    return (int) Long.remainderUnsigned(mix(orders) >>> 1, n);
  }

  /** Whether the caller is a thread of the app's. */
  public static boolean mine() {
    Turn turn = Baton.TURNS.get(Thread.currentThread());
    return turn != null && !turn.inHost;
  }

  /** In place of the clock that seeds a new Random. */
  public static long randomSeed() {
    return mine() ? next() : System.nanoTime();
  }

  /** In place of Random's process-wide counter. */
  public static long uniquifier() {
    return mine() ? 0 : mix(System.nanoTime());
  }

  public static double nextDouble() {
    return (next() >>> 11) * 0x1.0p-53;
  }

  public static void fill(byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (next() >>> 24);
    }
  }

  public static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    fill(bytes);
    return bytes;
  }

  /** Gives the current thread's ThreadLocalRandom its seed; called when that first looks for one. */
  public static void seedThread() {
    if (THREAD_SEED >= 0 && mine()) {
      ThreadLocalRandom.current();
      UNSAFE.putLong(Thread.currentThread(), THREAD_SEED, next());
    }
  }

  static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  private static long next() {
    values += GOLDEN;
    return mix(values);
  }

  private static long threadSeedOffset() {
    try {
      Field field = Thread.class.getDeclaredField("threadLocalRandomSeed");
      return UNSAFE.objectFieldOffset(field);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return -1;
    }
  }
}
