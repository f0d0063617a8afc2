// The end of a world and of a process: every thread unwinds.
package dev.retap.agent.world;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.Test;

public final class WorldTest {
  @Test
  public void endingAWorldUnwindsItsThreads() throws Exception {
    List<Thread> threads = new ArrayList<>();
    TestWorld world =
        TestWorld.run(
            it -> {
              Object monitor = new Object();
              threads.add(
                  it.start(thread -> unwinding(thread, "sleeper", () -> Blocking.sleep(9))));
              threads.add(it.start(thread -> unwinding(thread, "parked", Blocking::park)));
              threads.add(
                  it.start(
                      thread ->
                          unwinding(
                              thread,
                              "waiter",
                              () -> {
                                synchronized (monitor) {
                                  Blocking.await(monitor);
                                }
                              })));
              World.runOthers(false);
            });
    for (Thread thread : threads) {
      thread.join(10_000);
      assertFalse(Baton.THREADS.containsKey(thread));
    }
    assertEquals(Set.of("sleeper", "parked", "waiter"), Set.copyOf(world.log));
  }

  @Test
  public void aThreadThatHasNotStartedUnwindsWithoutRunning() {
    TestWorld world = TestWorld.run(it -> it.start(thread -> thread.log("runs")));
    assertEquals(List.of(), world.log);
  }

  @Test
  public void aThreadThatComputesUnwindsAtItsNextLoop() throws Exception {
    List<Thread> threads = new ArrayList<>();
    TestWorld.run(
        it -> {
          Thread thread =
              it.start(
                  other -> {
                    Baton.takeFrom(Thread.currentThread(), BatonInspector.handovers(), false);
                    while (true) {
                      Blocking.countLoop();
                    }
                  });
          threads.add(thread);
          World.runOthers(false);
        });
    threads.get(0).join(10_000);
    assertFalse(threads.get(0).isAlive());
  }

  @Test
  public void aThreadThatCatchesEverythingIsPutToSleep() throws Exception {
    List<Thread> threads = new ArrayList<>();
    TestWorld.run(
        it -> {
          threads.add(
              it.start(
                  thread -> {
                    while (true) {
                      try {
                        Blocking.park();
                      } catch (ProcessEnded e) {
                        // It goes on, as a careless app does.
                      }
                    }
                  }));
          World.runOthers(false);
        });
    Thread stubborn = threads.get(0);
    for (int i = 0; i < 10_000 && stubborn.getState() != Thread.State.WAITING; i++) {
      Thread.sleep(1);
    }
    assertEquals(Thread.State.WAITING, stubborn.getState());
    assertTrue(Baton.THREADS.remove(stubborn).refusals > 1_000);
  }

  @Test
  public void anEndedProcessUnwindsTheMainThreadAtItsNextCall() {
    TestWorld world =
        TestWorld.run(
            it -> {
              it.start(thread -> thread.log("background thread runs"));
              World.endProcess();
              it.log("main goes on");
              assertThrows(ProcessEnded.class, () -> Blocking.sleep(1));
              assertThrows(ProcessEnded.class, Blocking::yieldTurn);
              assertThrows(ProcessEnded.class, World::unwind);
            });
    assertEquals(List.of("main goes on"), world.log);
  }

  @Test
  public void aProcessThatABackgroundThreadEndsUnwindsTheBlockedMainThread() {
    TestWorld world =
        TestWorld.run(
            it -> {
              it.start(
                  thread -> {
                    World.endProcess();
                    World.unwind();
                  });
              try {
                Blocking.park();
              } catch (ProcessEnded e) {
                it.log("main unwinds");
                throw e;
              }
            });
    assertEquals(List.of("main unwinds"), world.log);
    assertFalse(world.isStuck());
  }

  @Test
  public void worldsFollowEachOther() {
    for (int i = 0; i < 20; i++) {
      TestWorld world =
          TestWorld.run(
              i,
              it -> {
                it.start(thread -> Blocking.sleep(50));
                Blocking.sleep(10);
              });
      assertEquals(10, world.clock.millis());
    }
  }

  private interface Call {
    void run() throws Exception;
  }

  private static void unwinding(TestWorld world, String name, Call call) throws Exception {
    try {
      call.run();
    } catch (ProcessEnded e) {
      world.log(name);
      throw e;
    }
  }

  @Test
  public void anInterruptOfTheMainThreadEndsWithItsWorld() {
    boolean[] interrupted = {true};
    Thread thread =
        new Thread(
            () -> {
              World.begin(1, new FakeClock());
              Thread.currentThread().interrupt();
              World.end();
              interrupted[0] = Thread.currentThread().isInterrupted();
            });
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertFalse(interrupted[0]);
  }
}
