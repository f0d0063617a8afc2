package dev.retap.agent.world.jdk;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.world.TestWorld;
import org.junit.Test;

public final class LogFilterTest {
  @Test
  public void theLogKeepsTheLinesOfTheAppAlone() {
    assertTrue(LogFilter.isUnwanted());
    TestWorld.run(world -> assertFalse(LogFilter.isUnwanted()));
  }
}
