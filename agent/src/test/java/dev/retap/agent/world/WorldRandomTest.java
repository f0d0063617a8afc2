// Random numbers are a function of the world seed, the step and the number of draws in it.
package dev.retap.agent.world;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.world.memory.UnsafeMemory;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.Test;

public final class WorldRandomTest {
  @Test
  public void theSameSeedDrawsTheSameNumbers() {
    assertArrayEquals(draw(5, false), draw(5, false));
  }

  @Test
  public void differentSeedsDrawDifferentNumbers() {
    Set<Byte> firsts = new HashSet<>();
    for (int seed = 0; seed < 50; seed++) {
      firsts.add(draw(seed, false)[0]);
    }
    assertTrue("only " + firsts.size() + " of 50", firsts.size() > 30);
  }

  @Test
  public void aStepDoesNotDependOnTheDrawsOfTheStepBefore() {
    assertArrayEquals(drawInSecondStep(0), drawInSecondStep(17));
    assertFalse(Arrays.equals(draw(5, false), drawInSecondStep(0)));
  }

  @Test
  public void theThreadsOwnRandomDoesNotDependOnTheDrawsOfTheStepBefore() {
    assertEquals(drawFromThreadInSecondStep(0), drawFromThreadInSecondStep(3));
  }

  private static long drawFromThreadInSecondStep(int drawsBefore) {
    WorldRandom.begin(5);
    for (int i = 0; i < drawsBefore; i++) {
      ThreadLocalRandom.current().nextLong();
    }
    WorldRandom.beginStep();
    long drawn = ThreadLocalRandom.current().nextLong();
    WorldRandom.end();
    return drawn;
  }

  @Test
  public void theOrderOfThreadsHasAStreamOfItsOwn() {
    assertArrayEquals(draw(5, false), draw(5, true));
  }

  @Test
  public void doublesLieBetweenZeroAndOne() {
    TestWorld.run(
        world -> {
          double sum = 0;
          for (int i = 0; i < 1_000; i++) {
            double value = WorldRandom.nextDouble();
            assertTrue(value >= 0 && value < 1);
            sum += value;
          }
          // The mean of 1000 uniform numbers has a deviation below 0.01.
          assertEquals(0.5, sum / 1_000, 0.1);
        });
  }

  @Test
  public void bytesHaveTheLengthAskedFor() {
    TestWorld.run(world -> assertEquals(33, WorldRandom.bytes(33).length));
  }

  @Test
  public void aNewRandomOfTheAppIsSeededByTheWorld() {
    long[] seeds = new long[2];
    for (int i = 0; i < 2; i++) {
      int round = i;
      TestWorld.run(
          9,
          world -> {
            assertEquals(0, WorldRandom.uniquifier());
            seeds[round] = WorldRandom.randomSeed();
          });
    }
    assertEquals(seeds[0], seeds[1]);
  }

  @Test
  public void randomNumbersOfTheHostComeFromTheClock() {
    assertNotEquals(0, WorldRandom.uniquifier());
    byte[] expected = drawInSecondStep(0);
    TestWorld.run(
        5,
        world -> {
          World.setInHost(true);
          WorldRandom.randomSeed();
          World.setInHost(false);
          // The host's draw leaves the stream of the second step untouched.
          assertArrayEquals(expected, WorldRandom.bytes(16));
        });
  }

  @Test
  public void theThreadLocalRandomOfEachThreadIsSeededByTheWorld() {
    long offset = UnsafeMemory.offset(Thread.class, "threadLocalRandomSeed");
    long[][] seeds = new long[2][2];
    for (int i = 0; i < 2; i++) {
      long[] own = seeds[i];
      TestWorld.run(
          3,
          world -> {
            own[0] = UnsafeMemory.unsafe().getLong(Thread.currentThread(), offset);
            world.join(
                world.start(
                    it -> own[1] = UnsafeMemory.unsafe().getLong(Thread.currentThread(), offset)));
          });
    }
    assertArrayEquals(seeds[0], seeds[1]);
    assertNotEquals(seeds[0][0], seeds[0][1]);
  }

  private static byte[] draw(long seed, boolean afterAHandover) {
    byte[][] drawn = new byte[1][];
    TestWorld.run(
        seed,
        world -> {
          if (afterAHandover) {
            WorldRandom.nextOrder(3);
          }
          drawn[0] = WorldRandom.bytes(16);
        });
    return drawn[0];
  }

  private static byte[] drawInSecondStep(int drawsInFirst) {
    WorldRandom.begin(5);
    WorldRandom.bytes(drawsInFirst);
    WorldRandom.beginStep();
    byte[] bytes = WorldRandom.bytes(16);
    WorldRandom.end();
    return bytes;
  }
}
