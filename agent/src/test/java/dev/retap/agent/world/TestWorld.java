// A world for tests on a plain JVM. It calls the scheduler where rewritten code would: before and
// after a thread runs, and in place of Thread.join. While the world runs it acts as the watchdog.
package dev.retap.agent.world;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

public final class TestWorld {
  /** A world that takes longer than this is a failure of the scheduler. */
  private static final long MOST_REAL_NANOS = 20_000_000_000L;

  public final FakeClock clock = new FakeClock();

  /** The lines that the threads have logged, in order. */
  public final List<String> log = Collections.synchronizedList(new ArrayList<>());

  private final CountDownLatch begun = new CountDownLatch(1);
  private Thread main;
  private boolean stuck;
  private volatile Throwable failure;

  private TestWorld() {}

  /** A piece of code that runs on a thread of the world. */
  public interface Code {
    void run(TestWorld world) throws Exception;
  }

  /**
   * Runs the code as the main thread of a world and ends the world. Throws what the code throws.
   */
  public static TestWorld run(long seed, Code code) {
    TestWorld world = new TestWorld();
    world.main =
        new Thread(
            () -> {
              World.begin(seed, world.clock);
              world.begun.countDown();
              world.runGuarded(code);
              World.end();
            },
            "main of a test world");
    world.main.setDaemon(true);
    world.main.start();
    try {
      world.begun.await();
      world.watch();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (world.failure != null) {
      throw new AssertionError("a thread of the world failed", world.failure);
    }
    return world;
  }

  public static TestWorld run(Code code) {
    return run(1, code);
  }

  /** Returns true if the world came to a point where no thread could ever run. */
  public boolean isStuck() {
    return stuck;
  }

  public Thread mainThread() {
    return main;
  }

  public void log(String line) {
    log.add(line);
  }

  /** Starts a thread of the app. */
  public Thread start(Code code) {
    Thread thread =
        new Thread(
            () -> {
              try {
                runGuarded(
                    world -> {
                      Blocking.awaitFirstTurn();
                      code.run(world);
                    });
              } finally {
                Blocking.threadEnded(Thread.currentThread());
              }
            });
    thread.setDaemon(true);
    Blocking.threadStarting(thread);
    thread.start();
    return thread;
  }

  /** Waits for the end of a thread as the rewritten Thread.join does. */
  public void join(Thread thread) throws InterruptedException {
    synchronized (thread) {
      while (Blocking.isAlive(thread)) {
        Blocking.await(thread);
      }
    }
  }

  private void runGuarded(Code code) {
    try {
      code.run(this);
    } catch (ProcessEnded e) {
      // The world ends, and so does the thread.
    } catch (Throwable e) {
      failure = failure == null ? e : failure;
    }
  }

  private void watch() throws InterruptedException {
    long begin = System.nanoTime();
    while (main.isAlive()) {
      if (System.nanoTime() - begin > MOST_REAL_NANOS) {
        throw new AssertionError("the world does not end; so far: " + log);
      }
      long turn = BatonInspector.handovers();
      Thread holder = BatonInspector.holder();
      if (holder != null && BatonInspector.isBlockedForGood(holder)) {
        Baton.takeFrom(holder, turn, true);
      }
      if (BatonInspector.isStuck() && !stuck) {
        stuck = true;
        unwindMain();
      }
      main.join(1);
    }
  }

  private void unwindMain() {
    World.endProcess();
    synchronized (Baton.LOCK) {
      Baton.grant(Baton.main);
    }
  }
}
