// References are cleared at moments that the events decide, not the collector.
package dev.retap.agent.world;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public final class ReferencesTest {
  @Test
  public void theCollectorClearsNothingInsideAStep() {
    TestWorld.run(
        world -> {
          WeakReference<Object> reference = create();
          System.gc();
          assertNotNull(reference.get());
        });
  }

  @Test
  public void theAppsOwnCollectionClearsWhatNothingKeeps() {
    TestWorld.run(
        world -> {
          WeakReference<Object> lost = create();
          Object kept = new Object();
          WeakReference<Object> held = reported(new WeakReference<>(kept), kept);
          References.collectForApp();
          assertNull(lost.get());
          assertSame(kept, held.get());
          assertEquals("what survives is kept on", 1, References.count());
        });
  }

  @Test
  public void theAppCollectsOnceInAStep() {
    TestWorld.run(
        world -> {
          References.collectForApp();
          WeakReference<Object> reference = create();
          References.collectForApp();
          assertNotNull(reference.get());
          References.beginStep();
          References.collectForApp();
          assertNull(reference.get());
        });
  }

  @Test
  public void aStepBeginsWithACollectionAfterManyReferences() {
    TestWorld.run(
        world -> {
          WeakReference<Object> first = create();
          References.beginStep();
          assertNotNull(first.get());
          List<WeakReference<Object>> all = new ArrayList<>();
          for (int i = 0; i < References.LEAST_LIMIT; i++) {
            all.add(create());
          }
          References.beginStep();
          assertNull(first.get());
          assertNull(all.get(all.size() - 1).get());
          assertEquals(0, References.count());
        });
  }

  @Test
  public void aQueueIsFilledWhenACollectionReturns() {
    TestWorld.run(
        world -> {
          ReferenceQueue<Object> queue = new ReferenceQueue<>();
          Object referent = new Object();
          PhantomReference<Object> reference = new PhantomReference<>(referent, queue);
          References.created(reference, referent);
          referent = null;
          References.collectForApp();
          assertSame(reference, queue.poll());
        });
  }

  @Test
  public void theHostsReferencesAreItsOwn() {
    create();
    assertEquals(0, References.count());
    TestWorld.run(world -> create());
    assertEquals("an ended world keeps nothing", 0, References.count());
  }

  private static WeakReference<Object> create() {
    Object referent = new Object();
    return reported(new WeakReference<>(referent), referent);
  }

  /** Reports a reference as the rewritten constructor does. */
  private static WeakReference<Object> reported(WeakReference<Object> reference, Object referent) {
    References.created(reference, referent);
    return reference;
  }
}
