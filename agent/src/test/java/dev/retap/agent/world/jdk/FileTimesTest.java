// Files have the times of the world in which they were written.
package dev.retap.agent.world.jdk;

import static org.junit.Assert.assertEquals;

import dev.retap.agent.world.Blocking;
import dev.retap.agent.world.TestWorld;
import org.junit.After;
import org.junit.Test;

public final class FileTimesTest {
  private static final String FILE = "/nowhere/file";

  @After
  public void forget() {
    FileTimes.reset();
  }

  @Test
  public void aFileHasTheTimeWhenItWasOpenedLast() throws Exception {
    TestWorld world =
        TestWorld.run(
            it -> {
              PhonePaths.toHostForOutput(FILE);
              Blocking.sleep(1_000);
              PhonePaths.toHostForOutput(FILE);
              it.log(String.valueOf(Blocking.currentTimeMillis() - FileTimes.of(FILE, 0)));
            });
    assertEquals(java.util.List.of("0"), world.log);
  }

  @Test
  public void theHostsFilesKeepTheirTimes() {
    PhonePaths.toHostForOutput(FILE);
    assertEquals(7, FileTimes.of(FILE, 7));
  }

  @Test
  public void timesEndWithTheData() throws Exception {
    TestWorld.run(it -> PhonePaths.toHostForOutput(FILE));
    FileTimes.reset();
    assertEquals(7, FileTimes.of(FILE, 7));
  }
}
