// Virtual time: it moves only when no thread can run, and every wait of the app takes it.
package dev.retap.agent.world;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

public final class VirtualTimeTest {
  private static final long MILLI = 1_000_000;

  @Test
  public void timeStandsStillWhileAThreadCanRun() {
    TestWorld.run(
        world -> {
          world.start(it -> Blocking.sleep(1));
          world.start(
              it -> {
                for (int i = 0; i < 100; i++) {
                  Blocking.yieldTurn();
                  assertEquals(0, it.clock.nanos());
                }
              });
          World.runOthers(false);
          assertEquals(List.of(), world.clock.advances);
        });
  }

  @Test
  public void aSleepTakesVirtualTime() {
    TestWorld world = TestWorld.run(it -> Blocking.sleep(3_600_000, 5));
    assertEquals(List.of(3_600_000 * MILLI + 5), world.clock.advances);
  }

  @Test
  public void sleepersWakeInTheOrderOfTheirDeadlines() {
    TestWorld world =
        TestWorld.run(
            it -> {
              for (int millis : new int[] {300, 100, 200}) {
                it.start(
                    thread -> {
                      Blocking.sleep(millis);
                      thread.log(millis + " at " + thread.clock.millis());
                    });
              }
              Blocking.sleep(400);
            });
    assertEquals(List.of("100 at 100", "200 at 200", "300 at 300"), world.log);
    assertEquals(
        List.of(100L * MILLI, 200L * MILLI, 300L * MILLI, 400L * MILLI), world.clock.advances);
  }

  @Test
  public void theClocksOfTheAppShowVirtualTime() {
    TestWorld.run(
        world -> {
          assertEquals(VirtualClock.EPOCH_MILLIS, Blocking.currentTimeMillis());
          Blocking.sleep(1_500);
          assertEquals(VirtualClock.EPOCH_MILLIS + 1_500, Blocking.currentTimeMillis());
          assertEquals(VirtualClock.EPOCH_MILLIS + 1_500, Blocking.worldTimeMillis());
          assertEquals(1_500, Blocking.nanoTime() / MILLI);
          assertEquals(1_500, Blocking.sinceEpochSecond(VirtualClock.EPOCH_MILLIS / 1_000) / MILLI);
        });
  }

  @Test
  public void twoReadingsOfTheClockDiffer() {
    TestWorld.run(
        world -> {
          long before = Blocking.readNanoTime();
          long after = Blocking.readNanoTime();
          assertTrue(after > before);
          assertTrue("a reading takes no millisecond", after - before < MILLI);
        });
  }

  @Test
  public void aLoopThatReadsTheClockEndsInTimeWhileOthersRun() {
    TestWorld world =
        TestWorld.run(
            it -> {
              it.start(
                  thread -> {
                    Blocking.sleep(400);
                    thread.log("slept until " + thread.clock.millis());
                  });
              World.runOthers(false);
              long end = Blocking.currentTimeMillis() + 1_000;
              int readings = 0;
              while (Blocking.currentTimeMillis() < end) {
                readings++;
              }
              it.log("read until " + it.clock.millis());
              assertTrue(readings + " readings", readings > 100 && readings < 5_000);
            });
    assertEquals(List.of("slept until 400", "read until 1000"), world.log);
  }

  @Test
  public void aLoopThatReadsTheClockForEverIsStuckOnMainAndSleepsElsewhere() {
    TestWorld world =
        TestWorld.run(
            it -> {
              AtomicInteger readings = new AtomicInteger();
              it.start(
                  thread -> {
                    while (true) {
                      Blocking.currentTimeMillis();
                      readings.incrementAndGet();
                    }
                  });
              Blocking.sleep(5_000);
              int before = readings.get();
              Blocking.sleep(3_000);
              it.log(readings.get() - before + " readings in three seconds");
              while (true) {
                Blocking.currentTimeMillis();
              }
            });
    assertEquals(List.of("10 readings in three seconds"), world.log);
    assertTrue(world.isStuck());
  }

  @Test
  public void theHostSeesTheWorldsTimeOfDayOnlyWhereItAsksForIt() {
    TestWorld.run(
        world -> {
          Blocking.sleep(1_000);
          World.setInHost(true);
          assertTrue(Blocking.currentTimeMillis() > VirtualClock.EPOCH_MILLIS + 1_000);
          assertEquals(VirtualClock.EPOCH_MILLIS + 1_000, Blocking.worldTimeMillis());
          assertEquals(-1, Blocking.sinceEpochSecond(0));
          World.setInHost(false);
        });
    assertEquals("between worlds", VirtualClock.EPOCH_MILLIS, Blocking.worldTimeMillis());
  }

  @Test
  public void aLoopersMessageMovesTimeLikeASleeper() {
    TestWorld world =
        TestWorld.run(
            it -> {
              it.clock.messageDue = 50 * MILLI;
              it.clock.message = () -> Blocking.unpark(it.mainThread());
              Blocking.park();
              it.log("unparked");
            });
    assertEquals(List.of("unparked"), world.log);
    assertEquals(50, world.clock.millis());
  }

  @Test
  public void threadsThatAreDueWakeWhenThePhoneMovesTheClock() {
    TestWorld.run(
        world -> {
          world.start(
              it -> {
                Blocking.sleep(20);
                it.log("awake");
              });
          World.runOthers(false);
          assertEquals(20 * MILLI, Baton.nextDeadline());
          world.clock.advanceTo(19 * MILLI);
          Baton.wakeDueThreads();
          World.runOthers(false);
          assertEquals(List.of(), world.log);
          world.clock.advanceTo(20 * MILLI);
          Baton.wakeDueThreads();
          World.runOthers(false);
          assertEquals(List.of("awake"), world.log);
          assertEquals(VirtualClock.NEVER, Baton.nextDeadline());
        });
  }

  @Test
  public void negativeTimesAreRefusedAsTheJdkRefusesThem() {
    TestWorld.run(
        world -> {
          assertThrows(IllegalArgumentException.class, () -> Blocking.sleep(-1));
          synchronized (world) {
            assertThrows(IllegalArgumentException.class, () -> Blocking.await(world, -1));
          }
        });
  }

  @Test
  public void theLongestSleepDoesNotOverflow() {
    TestWorld world =
        TestWorld.run(
            it -> {
              Blocking.sleep(1);
              it.start(thread -> Blocking.sleep(Long.MAX_VALUE));
              it.start(thread -> Blocking.parkNanos(Long.MAX_VALUE));
              World.runOthers(false);
              assertEquals(VirtualClock.NEVER, Baton.nextDeadline());
            });
    assertEquals(1, world.clock.millis());
  }
}
