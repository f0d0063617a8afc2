package dev.retap.agent.world;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public final class LogFilterTest {
  @Test
  public void theLogKeepsTheLinesOfTheAppAlone() {
    assertTrue(LogFilter.isUnwanted());
    TestWorld.run(world -> assertFalse(LogFilter.isUnwanted()));
  }
}
