// The baton of a thread that stops without giving it up, and of a world that cannot go on.
package dev.retap.agent.world;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.junit.Test;

public final class BatonTest {
  @Test
  public void aThreadThatWantsATakenMonitorLosesTheBatonUntilTheMonitorIsLeft() {
    for (int round = 0; round < 5; round++) {
      TestWorld world =
          TestWorld.run(
              it -> {
                Object monitor = new Object();
                Thread owner =
                    it.start(
                        thread -> {
                          synchronized (monitor) {
                            Blocking.monitorEntered();
                            thread.log("owner enters");
                            Blocking.sleep(100);
                            thread.log("owner leaves");
                          }
                          thread.log("owner ends");
                        });
                Blocking.sleep(10);
                synchronized (monitor) {
                  Blocking.monitorEntered();
                  it.log("main enters at " + it.clock.millis());
                }
                it.join(owner);
              });
      assertEquals(
          List.of("owner enters", "owner leaves", "owner ends", "main enters at 100"), world.log);
    }
  }

  @Test
  public void aThreadThatWaitedForAMonitorEntersItBeforeItsOwnerDoesAgain() {
    for (int round = 0; round < 20; round++) {
      TestWorld world =
          TestWorld.run(
              it -> {
                Object monitor = new Object();
                Thread owner =
                    it.start(
                        thread -> {
                          Blocking.monitorWanted(monitor);
                          synchronized (monitor) {
                            Blocking.monitorEntered();
                            Blocking.sleep(100);
                          }
                          Blocking.monitorWanted(monitor);
                          synchronized (monitor) {
                            Blocking.monitorEntered();
                            thread.log("owner enters again");
                          }
                        });
                Blocking.sleep(10);
                Blocking.monitorWanted(monitor);
                synchronized (monitor) {
                  Blocking.monitorEntered();
                  it.log("main enters");
                }
                it.join(owner);
              });
      assertEquals(List.of("main enters", "owner enters again"), world.log);
    }
  }

  @Test
  public void aThreadThatGetsItsMonitorBackLateAwaitsItsTurn() {
    TestWorld world =
        TestWorld.run(
            it -> {
              Object monitor = new Object();
              Thread waiter =
                  it.start(
                      thread -> {
                        synchronized (monitor) {
                          Blocking.await(monitor, 50);
                          thread.log("waiter goes on");
                        }
                      });
              Blocking.sleep(10);
              synchronized (monitor) {
                Blocking.sleep(100);
              }
              ReturningThreads.await();
              it.log("main goes on");
              it.join(waiter);
            });
    assertEquals(List.of("main goes on", "waiter goes on"), world.log);
  }

  @Test
  public void aThreadWithoutTheBatonCannotLoseIt() {
    TestWorld.run(
        world -> {
          Thread sleeper = world.start(it -> Blocking.sleep(5));
          World.runOthers(false);
          long before = BatonInspector.handovers();
          Baton.takeFrom(sleeper, BatonInspector.handovers(), false);
          assertEquals(before, BatonInspector.handovers());
          assertEquals(Thread.currentThread(), BatonInspector.holder());
        });
  }

  @Test
  public void aThreadThatHadAnotherTurnSinceItWasLookedAtKeepsTheBaton() {
    TestWorld.run(
        world -> {
          long turn = BatonInspector.handovers();
          Blocking.sleep(5);
          Baton.takeFrom(Thread.currentThread(), turn, false);
          assertEquals(Thread.currentThread(), BatonInspector.holder());
        });
  }

  @Test
  public void aThreadThatLosesTheBatonWhileItBlocksPassesNoneOn() {
    TestWorld.run(
        world -> {
          Thread thread =
              world.start(
                  it -> {
                    AppThread self = Scheduler.current();
                    Baton.takeFrom(self.thread, BatonInspector.handovers(), false);
                    Thread next = BatonInspector.holder();
                    long turn = BatonInspector.handovers();
                    synchronized (Baton.LOCK) {
                      Baton.leaveTurn(self, true);
                    }
                    assertEquals(0, Baton.detached);
                    assertEquals(next, BatonInspector.holder());
                    assertEquals(turn, BatonInspector.handovers());
                  });
          World.runOthers(false);
          while (thread.isAlive()) {
            Thread.onSpinWait();
          }
        });
  }

  @Test
  public void aDetachedThreadQueuesAgainAtItsNextCall() {
    TestWorld world =
        TestWorld.run(
            it -> {
              Thread thread =
                  it.start(
                      other -> {
                        Baton.takeFrom(Thread.currentThread(), BatonInspector.handovers(), true);
                        assertEquals(1, Baton.detached);
                        Blocking.yieldTurn();
                        assertEquals(Thread.currentThread(), BatonInspector.holder());
                        other.log("back");
                      });
              // The idle main thread gets the baton; its join waits until the thread has queued
              // again.
              World.runOthers(false);
              it.join(thread);
              assertEquals(0, Baton.detached);
            });
    assertEquals(List.of("back"), world.log);
  }

  @Test
  public void noThreadHoldsTheBatonOfAnEndedWorld() {
    TestWorld.run(world -> world.join(world.start(it -> {})));
    assertFalse(BatonInspector.isBlockedForGood(Thread.currentThread()));
    assertFalse(Baton.THREADS.containsKey(Thread.currentThread()));
    assertNull(Baton.main);
  }

  @Test
  public void aDeadlockIsNoticedAtOnce() {
    TestWorld world =
        TestWorld.run(
            it -> {
              Object monitor = new Object();
              it.start(thread -> Blocking.park());
              synchronized (monitor) {
                Blocking.await(monitor);
              }
            });
    assertTrue(world.isStuck());
    assertEquals("no time passes", 0, world.clock.nanos());
  }

  @Test
  public void aJoinOfAThreadThatNeverEndsIsADeadlock() {
    assertTrue(TestWorld.run(it -> it.join(it.start(thread -> Blocking.park()))).isStuck());
  }

  @Test
  public void aMainThreadThatWaitsTwoMinutesWithoutATimeoutIsStuck() {
    TestWorld world =
        TestWorld.run(
            it -> {
              it.start(
                  thread -> {
                    while (true) {
                      Blocking.sleep(1_000);
                    }
                  });
              Blocking.park();
            });
    assertTrue(world.isStuck());
    assertEquals(120_000, world.clock.millis());
  }

  @Test
  public void aMainThreadWithATimeoutMayWaitForHours() {
    TestWorld world =
        TestWorld.run(
            it -> {
              it.start(
                  thread -> {
                    while (true) {
                      Blocking.sleep(60_000);
                    }
                  });
              Blocking.sleep(3 * 3_600_000);
            });
    assertFalse(world.isStuck());
    assertEquals(3 * 3_600_000, world.clock.millis());
  }

  @Test
  public void aNewWorldIsNotStuck() {
    assertTrue(TestWorld.run(it -> Blocking.park()).isStuck());
    assertFalse(TestWorld.run(it -> assertFalse(BatonInspector.isStuck())).isStuck());
  }

  @Test
  public void aBackgroundThreadThatComputesTakesVirtualTime() {
    TestWorld world =
        TestWorld.run(
            it -> {
              Thread thread =
                  it.start(
                      other -> {
                        Baton.loopsLeft = 2;
                        Blocking.countLoop();
                        Blocking.countLoop();
                        assertEquals(0, other.clock.millis());
                        Blocking.countLoop();
                        assertEquals(300, other.clock.millis());
                        assertEquals(Baton.TURN_LOOPS, Baton.loopsLeft);
                      });
              it.join(thread);
            });
    assertFalse(world.isStuck());
  }

  @Test
  public void aMainThreadThatComputesForTooLongIsStuck() {
    TestWorld world =
        TestWorld.run(
            it -> {
              for (int turn = 0; true; turn++) {
                it.log("turn " + turn);
                Baton.loopsLeft = 0;
                Blocking.countLoop();
              }
            });
    assertTrue(world.isStuck());
    assertEquals("turn 40", world.log.get(world.log.size() - 1));
    assertEquals(0, world.clock.nanos());
  }

  @Test
  public void aStepGivesTheMainThreadItsTurnsBack() {
    TestWorld world =
        TestWorld.run(
            it -> {
              for (int step = 0; step < 3; step++) {
                for (int turn = 0; turn < 40; turn++) {
                  Baton.loopsLeft = 0;
                  Blocking.countLoop();
                }
                World.setInHost(true);
                World.setInHost(false);
              }
            });
    assertFalse(world.isStuck());
  }
}
