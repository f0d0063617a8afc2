// Sleeping, waiting, parking, interrupting and joining, as rewritten code calls them.
package dev.retap.agent.world;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.Test;

public final class BlockingTest {
  @Test
  public void aWaitingThreadLeavesTheMonitorAndGoesOnAfterTheNotification() {
    TestWorld world =
        TestWorld.run(
            it -> {
              Object monitor = new Object();
              it.start(
                  thread -> {
                    synchronized (monitor) {
                      Blocking.await(monitor);
                      assertTrue(Thread.holdsLock(monitor));
                      thread.log("woken");
                    }
                  });
              World.runOthers(false);
              synchronized (monitor) {
                it.log("notifies");
                Blocking.notifyOne(monitor);
                it.log("still holds the baton");
              }
              World.runOthers(false);
            });
    assertEquals(List.of("notifies", "still holds the baton", "woken"), world.log);
  }

  @Test
  public void anInterruptDoesNotEndTheWaitOfALooperAndIsKept() {
    TestWorld world =
        TestWorld.run(
            it -> {
              Object queue = new Object();
              Thread looper =
                  it.start(
                      thread -> {
                        synchronized (queue) {
                          for (int polls = 1; polls <= 3; polls++) {
                            Blocking.poll(queue);
                            boolean isInterrupted = Thread.currentThread().isInterrupted();
                            thread.log("poll " + polls + " interrupted " + isInterrupted);
                          }
                        }
                      });
              World.runOthers(false);
              assertTrue(Blocking.interrupt(looper));
              // The looper looks for a message once, finds none and waits again.
              World.runOthers(false);
              it.log("rest");
              for (int i = 0; i < 2; i++) {
                synchronized (queue) {
                  Blocking.notifyEvery(queue);
                }
                World.runOthers(false);
              }
            });
    assertEquals(
        List.of(
            "poll 1 interrupted true",
            "rest",
            "poll 2 interrupted true",
            "poll 3 interrupted true"),
        world.log);
  }

  @Test
  public void threadsOfTheAppAreNumberedByTheWorld() {
    TestWorld world =
        TestWorld.run(
            it -> {
              it.log("main " + Blocking.threadId(Thread.currentThread()));
              it.start(self -> self.log("other " + Blocking.threadId(Thread.currentThread())));
              World.runOthers(false);
            });
    assertEquals(List.of("main 2", "other 3"), world.log);
    Thread host = Thread.currentThread();
    assertEquals(host.getId(), Blocking.threadId(host));
  }

  @Test
  public void aTimedWaitEndsInVirtualTime() {
    TestWorld world =
        TestWorld.run(
            it -> {
              synchronized (it) {
                Blocking.await(it, 250, 7);
              }
            });
    assertEquals(250_000_007, world.clock.nanos());
  }

  @Test
  public void aNotificationWakesOneThreadThatTheSeedChooses() {
    Set<List<String>> chosen = new HashSet<>();
    for (int seed = 0; seed < 30; seed++) {
      TestWorld world = TestWorld.run(seed, it -> wakeThree(it, false));
      assertEquals(1, world.log.size());
      chosen.add(world.log);
    }
    assertEquals("some seed chooses each", 3, chosen.size());
  }

  @Test
  public void notifyAllWakesAll() {
    TestWorld world = TestWorld.run(it -> wakeThree(it, true));
    assertEquals(Set.of("a", "b", "c"), new HashSet<>(world.log));
    assertEquals(3, world.log.size());
  }

  @Test
  public void monitorMethodsNeedTheMonitor() {
    TestWorld.run(
        world -> {
          Object monitor = new Object();
          assertThrows(IllegalMonitorStateException.class, () -> Blocking.await(monitor));
          assertThrows(IllegalMonitorStateException.class, () -> Blocking.notifyOne(monitor));
          assertThrows(IllegalMonitorStateException.class, () -> Blocking.notifyEvery(monitor));
        });
  }

  @Test
  public void anUnparkBeforeAParkIsNotLost() {
    TestWorld world =
        TestWorld.run(
            it -> {
              assertTrue(Blocking.unpark(Thread.currentThread()));
              assertTrue(Blocking.unpark(Thread.currentThread()));
              assertTrue(Blocking.park());
              it.log("first park returns");
              assertTrue(Blocking.parkNanos(9_000_000));
            });
    assertEquals(List.of("first park returns"), world.log);
    assertEquals("there is one permit, not two", 9, world.clock.millis());
  }

  @Test
  public void anUnparkWakesAParkedThread() {
    TestWorld world =
        TestWorld.run(
            it -> {
              Thread parked =
                  it.start(
                      thread -> {
                        Blocking.park();
                        thread.log("woken");
                      });
              World.runOthers(false);
              it.log("unparks");
              Blocking.unpark(parked);
              it.join(parked);
            });
    assertEquals(List.of("unparks", "woken"), world.log);
  }

  @Test
  public void timedParksEndInVirtualTime() {
    TestWorld.run(
        world -> {
          assertTrue(Blocking.parkNanos(0));
          assertTrue(Blocking.parkNanos(-5));
          assertEquals(0, world.clock.nanos());
          Blocking.parkNanos(3_000_000);
          assertEquals(3, world.clock.millis());
          Blocking.parkUntil(VirtualClock.EPOCH_MILLIS + 10);
          assertEquals(10, world.clock.millis());
          Blocking.parkUntil(VirtualClock.EPOCH_MILLIS);
          assertEquals("a time that has passed", 10, world.clock.millis());
        });
  }

  @Test
  public void anInterruptWakesASleeper() {
    TestWorld world =
        TestWorld.run(
            it -> {
              Thread sleeper =
                  it.start(
                      thread -> {
                        assertThrows(InterruptedException.class, () -> Blocking.sleep(1_000));
                        assertFalse(Thread.currentThread().isInterrupted());
                        thread.log("interrupted");
                      });
              World.runOthers(false);
              assertTrue(Blocking.interrupt(sleeper));
              it.join(sleeper);
            });
    assertEquals(List.of("interrupted"), world.log);
    assertEquals(0, world.clock.nanos());
  }

  @Test
  public void anInterruptEndsAParkAndStaysSet() {
    TestWorld.run(
        world -> {
          Thread parked =
              world.start(
                  it -> {
                    Blocking.park();
                    assertTrue(Thread.interrupted());
                    it.log("interrupted");
                  });
          World.runOthers(false);
          assertTrue(Blocking.interrupt(parked));
          world.join(parked);
          assertEquals(List.of("interrupted"), world.log);
        });
  }

  @Test
  public void aThreadThatIsInterruptedBeforehandDoesNotSleep() {
    TestWorld world =
        TestWorld.run(
            it -> {
              Thread.currentThread().interrupt();
              assertThrows(InterruptedException.class, () -> Blocking.sleep(1_000));
              Thread.currentThread().interrupt();
              assertTrue(Blocking.park());
              assertTrue(Thread.interrupted());
            });
    assertEquals(0, world.clock.nanos());
  }

  @Test
  public void theJdkInterruptsAThreadThatIsNotBlocked() {
    TestWorld.run(
        world -> {
          assertFalse(Blocking.interrupt(Thread.currentThread()));
          Thread ready = world.start(it -> {});
          assertFalse(Blocking.interrupt(ready));
          world.join(ready);
        });
  }

  @Test
  public void aJoinEndsWithTheThread() {
    TestWorld world =
        TestWorld.run(
            it -> {
              Thread thread =
                  it.start(
                      other -> {
                        Blocking.sleep(40);
                        other.log("ends");
                      });
              assertTrue(Blocking.isAlive(thread));
              it.join(thread);
              it.log("joined");
              assertFalse(Blocking.isAlive(thread));
            });
    assertEquals(List.of("ends", "joined"), world.log);
    assertEquals(40, world.clock.millis());
  }

  @Test
  public void aTimedJoinGivesUpInVirtualTime() {
    TestWorld.run(
        world -> {
          Thread thread = world.start(it -> Blocking.sleep(1_000));
          synchronized (thread) {
            Blocking.await(thread, 30);
          }
          assertEquals(30, world.clock.millis());
          assertTrue(Blocking.isAlive(thread));
        });
  }

  @Test
  public void everyPhoneHasFourProcessors() {
    TestWorld.run(world -> assertEquals(4, Blocking.availableProcessors(Runtime.getRuntime())));
    assertEquals(
        Runtime.getRuntime().availableProcessors(),
        Blocking.availableProcessors(Runtime.getRuntime()));
  }

  @Test
  public void threadsOfTheHostAreLeftToTheJdk() throws Exception {
    assertFalse(Blocking.park());
    assertFalse(Blocking.parkNanos(1));
    assertFalse(Blocking.parkUntil(1));
    assertFalse(Blocking.unpark(Thread.currentThread()));
    assertFalse(Blocking.unpark(null));
    assertFalse(Blocking.interrupt(Thread.currentThread()));
    assertTrue(Blocking.isAlive(Thread.currentThread()));
    Blocking.yieldTurn();
    Blocking.monitorEntered();
    long before = System.nanoTime();
    Blocking.sleep(2);
    synchronized (this) {
      Blocking.await(this, 2);
      Blocking.notifyEvery(this);
    }
    assertTrue("real time passes", System.nanoTime() - before >= 3_000_000);
  }

  private static void wakeThree(TestWorld world, boolean all) {
    Object monitor = new Object();
    for (String name : List.of("a", "b", "c")) {
      world.start(
          thread -> {
            synchronized (monitor) {
              Blocking.await(monitor);
            }
            thread.log(name);
          });
    }
    World.runOthers(false);
    assertEquals(Collections.emptyList(), world.log);
    synchronized (monitor) {
      if (all) {
        Blocking.notifyEvery(monitor);
      } else {
        Blocking.notifyOne(monitor);
      }
    }
    World.runOthers(false);
  }
}
