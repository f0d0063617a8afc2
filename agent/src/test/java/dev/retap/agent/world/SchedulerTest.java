// The order of threads: one runs at a time, and the seed alone decides which.
package dev.retap.agent.world;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

public final class SchedulerTest {
  private static final int SEEDS = 30;

  @Test
  public void onlyTheHolderOfTheBatonRuns() {
    AtomicInteger running = new AtomicInteger();
    TestWorld.run(
        world -> {
          List<Thread> threads = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            threads.add(
                world.start(
                    it -> {
                      for (int turn = 0; turn < 20; turn++) {
                        assertEquals(1, running.incrementAndGet());
                        assertEquals(Thread.currentThread(), BatonInspector.holder());
                        running.decrementAndGet();
                        Blocking.yieldTurn();
                      }
                    }));
          }
          for (Thread thread : threads) {
            world.join(thread);
          }
        });
  }

  @Test
  public void aStartedThreadWaitsForItsFirstTurn() {
    for (int seed = 0; seed < SEEDS; seed++) {
      TestWorld world =
          TestWorld.run(
              seed,
              it -> {
                Thread thread = it.start(other -> other.log("thread"));
                it.log("main");
                it.join(thread);
              });
      assertEquals(List.of("main", "thread"), world.log);
    }
  }

  @Test
  public void theSameSeedGivesTheSameOrder() {
    for (int seed = 0; seed < SEEDS; seed++) {
      assertEquals("seed " + seed, orderOfThree(seed, false), orderOfThree(seed, false));
    }
  }

  @Test
  public void seedsGiveEveryOrderOfThreeThreads() {
    Set<List<String>> orders = new HashSet<>();
    // Each order has the probability 1/6, so 200 seeds miss one with less than 1e-15.
    for (int seed = 0; seed < 200 && orders.size() < 6; seed++) {
      orders.add(orderOfThree(seed, false));
    }
    assertEquals(6, orders.size());
  }

  @Test
  public void randomNumbersThatTheAppDrawsDoNotChangeTheOrder() {
    for (int seed = 0; seed < SEEDS; seed++) {
      assertEquals("seed " + seed, orderOfThree(seed, false), orderOfThree(seed, true));
    }
  }

  @Test
  public void longRunsOfManyThreadsRepeatExactly() {
    assertEquals(interleaving(7), interleaving(7));
    assertFalse(interleaving(7).equals(interleaving(8)));
  }

  @Test
  public void aThreadThatYieldsAloneKeepsTheBaton() {
    TestWorld.run(
        world -> {
          long before = BatonInspector.handovers();
          Blocking.yieldTurn();
          assertEquals(before, BatonInspector.handovers());
        });
  }

  @Test
  public void theMainThreadGoesOnWhenAllOthersAreBlocked() {
    TestWorld world =
        TestWorld.run(
            it -> {
              for (int i = 0; i < 3; i++) {
                it.start(
                    thread -> {
                      thread.log("before");
                      Blocking.sleep(10);
                      thread.log("after");
                    });
              }
              assertTrue(World.canOthersRun());
              World.runOthers(false);
              assertFalse(World.canOthersRun());
              it.log("main");
            });
    assertEquals(List.of("before", "before", "before", "main"), world.log);
    assertEquals("an idle main thread does not wait for time", 0, world.clock.millis());
  }

  @Test
  public void aMainThreadThatCanRunTakesPartInTheDraw() {
    Set<List<String>> orders = new HashSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      TestWorld world =
          TestWorld.run(
              seed,
              it -> {
                Thread thread = it.start(other -> other.log("thread"));
                World.runOthers(true);
                it.log("main");
                it.join(thread);
              });
      orders.add(world.log);
    }
    assertEquals(Set.of(List.of("main", "thread"), List.of("thread", "main")), orders);
  }

  @Test
  public void onlyThreadsOfTheAppAreAppThreads() {
    assertFalse(Scheduler.isAppThread());
    TestWorld.run(
        world -> {
          assertTrue(Scheduler.isAppThread());
          World.setInHost(true);
          assertFalse(Scheduler.isAppThread());
          World.setInHost(false);
          world.join(world.start(it -> assertTrue(Scheduler.isAppThread())));
        });
    assertFalse(Scheduler.isAppThread());
  }

  @Test
  public void aThreadThatTheHostStartsIsNotScheduled() {
    TestWorld.run(
        world -> {
          World.setInHost(true);
          Thread thread = world.start(it -> assertFalse(Scheduler.isAppThread()));
          thread.join();
          World.setInHost(false);
        });
  }

  private static List<String> orderOfThree(long seed, boolean drawsNumbers) {
    return TestWorld.run(
            seed,
            world -> {
              if (drawsNumbers) {
                WorldRandom.nextDouble();
              }
              for (String name : List.of("a", "b", "c")) {
                world.start(it -> it.log(name));
              }
              World.runOthers(false);
            })
        .log;
  }

  private static List<String> interleaving(long seed) {
    return TestWorld.run(
            seed,
            world -> {
              for (int i = 0; i < 6; i++) {
                String name = "t" + i;
                world.start(
                    it -> {
                      for (int turn = 0; turn < 30; turn++) {
                        it.log(name);
                        Blocking.yieldTurn();
                      }
                    });
              }
              World.runOthers(false);
            })
        .log;
  }
}
