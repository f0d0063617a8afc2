// What the JVM tells of its own objects.
package dev.retap.agent.world.memory;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public final class UnsafeMemoryTest {
  @Test
  public void aClassIsInitialisedByItsFirstUse() {
    assertFalse(UnsafeMemory.isInitialized(Used.class));
    assertEquals(10, Used.length);
    assertTrue(UnsafeMemory.isInitialized(Used.class));
  }

  private static final class Used {
    static int length = "initialise".length();
  }
}
