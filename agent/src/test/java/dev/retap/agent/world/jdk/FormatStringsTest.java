package dev.retap.agent.world.jdk;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import dev.retap.agent.world.TestWorld;
import org.junit.After;
import org.junit.Test;

public final class FormatStringsTest {
  @After
  public void relax() {
    FormatStrings.setStrict(false);
  }

  @Test
  public void anIndexOfZeroMeansTheNextArgument() {
    TestWorld.run(
        world -> {
          assertEquals("%s and %d", FormatStrings.relax("%0$s and %00$d"));
          assertEquals("%-5s", FormatStrings.relax("%0$-5s"));
        });
  }

  @Test
  public void otherFormatsStay() {
    TestWorld.run(
        world -> {
          for (String format : new String[] {"%1$s", "%05d", "%%0$s", "100%", "%10$s", ""}) {
            assertEquals(format, FormatStrings.relax(format));
          }
          assertEquals("%%%s", FormatStrings.relax("%%%0$s"));
          assertNull(FormatStrings.relax(null));
        });
  }

  @Test
  public void formatsOfTheHostAndOfNewerAndroidsStay() {
    assertEquals("%0$s", FormatStrings.relax("%0$s"));
    FormatStrings.setStrict(true);
    TestWorld.run(world -> assertEquals("%0$s", FormatStrings.relax("%0$s")));
  }
}
