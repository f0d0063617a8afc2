// Identity hash codes of the app's objects are a function of the world seed.
package dev.retap.agent.world;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;

import java.util.Arrays;
import org.junit.Test;

public final class IdentityHashesTest {
  private static final class First {}

  private static final class Second {}

  @Test
  public void theSameSeedGivesTheSameHashes() {
    assertArrayEquals(hashes(4), hashes(4));
  }

  @Test
  public void differentSeedsGiveDifferentHashes() {
    assertFalse(Arrays.equals(hashes(4), hashes(5)));
  }

  @Test
  public void objectsOfOneClassHaveDifferentHashes() {
    TestWorld.run(
        world -> assertNotEquals(IdentityHashes.of(new First()), IdentityHashes.of(new First())));
  }

  @Test
  public void aHashStaysAndIsTheJvms() {
    TestWorld.run(
        world -> {
          Object object = new First();
          int hash = IdentityHashes.of(object);
          assertNotEquals(0, hash);
          assertEquals(hash, System.identityHashCode(object));
          assertEquals(hash, IdentityHashes.hashCode(object));
          IdentityHashes.ensureHash(object);
          assertEquals(hash, object.hashCode());
        });
  }

  @Test
  public void otherClassesDoNotShiftTheHashesOfAClass() {
    int[] hashes = new int[2];
    TestWorld.run(8, world -> hashes[0] = IdentityHashes.of(new First()));
    TestWorld.run(
        8,
        world -> {
          IdentityHashes.of(new Second());
          hashes[1] = IdentityHashes.of(new First());
        });
    assertEquals(hashes[0], hashes[1]);
  }

  @Test
  public void aClassThatOverridesHashCodeKeepsItsOwn() {
    TestWorld.run(
        world -> {
          assertEquals("text".hashCode(), IdentityHashes.hashCode("text"));
          assertEquals(7, IdentityHashes.hashCode(7));
          IdentityHashes.ensureHash(null);
        });
  }

  @Test
  public void objectsOfTheHostDoNotCount() {
    int[] hashes = new int[2];
    TestWorld.run(8, world -> hashes[0] = IdentityHashes.of(new First()));
    TestWorld.run(
        8,
        world -> {
          World.setInHost(true);
          IdentityHashes.of(new First());
          World.setInHost(false);
          hashes[1] = IdentityHashes.of(new First());
        });
    assertEquals(hashes[0], hashes[1]);
  }

  @Test
  public void aLockedObjectHasTheHashOfTheSeedToo() {
    int[] free = new int[1];
    int[] locked = new int[2];
    TestWorld.run(8, world -> free[0] = IdentityHashes.of(new First()));
    TestWorld.run(
        8,
        world -> {
          Object object = new First();
          synchronized (object) {
            locked[0] = IdentityHashes.of(object);
          }
          locked[1] = System.identityHashCode(object);
        });
    assertArrayEquals(new int[] {free[0], free[0]}, locked);
  }

  @Test
  public void anObjectWithAMonitorThatIsHeldHasTheHashOfTheSeedToo() {
    int[] free = new int[1];
    int[] held = new int[2];
    TestWorld.run(8, world -> free[0] = IdentityHashes.of(new First()));
    TestWorld.run(
        8,
        world -> {
          Object object = new First();
          synchronized (object) {
            object.wait(1);
            held[0] = IdentityHashes.of(object);
          }
          held[1] = System.identityHashCode(object);
        });
    assertArrayEquals(new int[] {free[0], free[0]}, held);
  }

  @Test
  public void theNameOfAClassDecidesItsHashWhoeverAsksFirst() throws Exception {
    assertEquals(IdentityHashes.of(newlyDefined()), IdentityHashes.of(newlyDefined()));
  }

  /** Returns another class of the same name in each call. */
  private static Class<?> newlyDefined() throws Exception {
    byte[] bytes = First.class.getResourceAsStream("IdentityHashesTest$First.class").readAllBytes();
    return new ClassLoader(null) {
      Class<?> define() {
        return defineClass(null, bytes, 0, bytes.length);
      }
    }.define();
  }

  private static int[] hashes(long seed) {
    int[] hashes = new int[4];
    TestWorld.run(
        seed,
        world -> {
          hashes[0] = IdentityHashes.of(new First());
          hashes[1] = IdentityHashes.of(new Second());
          hashes[2] = IdentityHashes.of(new First());
          hashes[3] = IdentityHashes.of(new int[0]);
        });
    return hashes;
  }
}
