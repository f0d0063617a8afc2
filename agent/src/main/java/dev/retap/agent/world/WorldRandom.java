// Random numbers from the world seed. There are two streams, so that a number drawn by the app does
// not change the order of its threads.
package dev.retap.agent.world;

import dev.retap.agent.world.memory.UnsafeMemory;
import java.lang.reflect.Field;
import java.util.concurrent.ThreadLocalRandom;
import sun.misc.Unsafe;

public final class WorldRandom {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;
  private static final long HASHES = 0x5851f42d4c957f2dL;
  private static final Unsafe UNSAFE = UnsafeMemory.unsafe();
  private static final long THREAD_SEED = threadSeedOffset();

  private static long orderStream;
  private static long valueStream;
  private static long steps;
  private static long seed;

  private WorldRandom() {}

  static void begin(long worldSeed) {
    seed = mix(worldSeed + GOLDEN);
    steps = 0;
    beginStep();
    IdentityHashes.begin(mix(seed ^ HASHES));
  }

  /**
   * Begins the streams of a step, and that of the main thread's ThreadLocalRandom. If one stream
   * served all steps, the numbers that the framework draws when this process first uses a part of
   * it would shift all that the app draws from then on.
   */
  static void beginStep() {
    long key = mix(seed + steps++ * GOLDEN);
    if (THREAD_SEED >= 0) {
      seedThread(mix(key ^ 3));
    }
    orderStream = mix(key ^ 1);
    valueStream = mix(key ^ 2);
  }

  static void end() {
    IdentityHashes.end();
  }

  /** Draws a number below n for the scheduler. */
  static int nextOrder(int n) {
    orderStream += GOLDEN;
    return (int) Long.remainderUnsigned(mix(orderStream) >>> 1, n);
  }

  /** Replaces the clock that seeds a new Random. */
  public static long randomSeed() {
    return Scheduler.isAppThread() ? next() : System.nanoTime();
  }

  /** Replaces Random's process-wide counter. */
  public static long uniquifier() {
    return Scheduler.isAppThread() ? 0 : mix(System.nanoTime());
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

  /**
   * Seeds the current thread's ThreadLocalRandom, which calls this when it first looks for a seed.
   */
  public static void seedThread() {
    if (THREAD_SEED >= 0 && Scheduler.isAppThread()) {
      seedThread(next());
    }
  }

  private static void seedThread(long threadSeed) {
    ThreadLocalRandom.current();
    UNSAFE.putLong(Thread.currentThread(), THREAD_SEED, threadSeed);
  }

  static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  private static long next() {
    valueStream += GOLDEN;
    return mix(valueStream);
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
