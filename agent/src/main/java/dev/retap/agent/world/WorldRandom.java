// Random numbers from the world seed. There are two streams, so that a number drawn by the app does
// not change the order of its threads. A world with two seeds draws from both at once and takes
// one.
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

  private static Streams own = new Streams(0);

  /** The streams of the other seed, or null if the world has one seed. */
  private static Streams other;

  private WorldRandom() {}

  /** What one seed gives. */
  private static final class Streams {
    final long seed;
    long steps;
    long orders;
    long values;

    Streams(long worldSeed) {
      seed = mix(worldSeed + GOLDEN);
    }

    /** Begins the streams of a step; returns the seed of its main thread's own stream. */
    long beginStep() {
      long key = mix(seed + steps++ * GOLDEN);
      orders = mix(key ^ 1);
      values = mix(key ^ 2);
      return mix(key ^ 3);
    }

    long nextOrder() {
      orders += GOLDEN;
      return mix(orders);
    }

    long nextValue() {
      values += GOLDEN;
      return mix(values);
    }
  }

  static void begin(long worldSeed) {
    Decisions.begin();
    own = new Streams(worldSeed);
    other = Decisions.hasOtherSeed() ? new Streams(Decisions.otherSeed()) : null;
    long seed = choose(own.seed, other == null ? 0 : other.seed);
    beginStep();
    IdentityHashes.begin(mix(seed ^ HASHES));
  }

  /**
   * Begins the streams of a step, and that of the main thread's ThreadLocalRandom. If one stream
   * served all steps, the numbers that the framework draws when this process first uses a part of
   * it would shift all that the app draws from then on.
   */
  static void beginStep() {
    long threadSeed = choose(own.beginStep(), other == null ? 0 : other.beginStep());
    if (THREAD_SEED >= 0) {
      seedThread(threadSeed);
    }
  }

  static void end() {
    IdentityHashes.end();
    Decisions.end();
  }

  /** Draws a number below n for the scheduler. */
  static int nextOrder(int n) {
    long drawn = choose(own.nextOrder(), other == null ? 0 : other.nextOrder());
    return (int) Long.remainderUnsigned(drawn >>> 1, n);
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
    long drawn = choose(own.nextValue(), other == null ? 0 : other.nextValue());
    Decisions.noteValue(drawn);
    return drawn;
  }

  private static long choose(long ofOwn, long ofOther) {
    return Decisions.isOwn() ? ofOwn : ofOther;
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
