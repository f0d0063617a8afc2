// The properties of an app's process are a phone's, and none of them is the host's.
package dev.retap.agent.device.app;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.util.Properties;
import org.junit.Test;

public final class AppPropertiesTest {
  private final Properties fixed = AppProperties.fixed();

  @Test
  public void theyAreThoseOfAPhone() {
    assertEquals("aarch64", fixed.getProperty("os.arch"));
    assertEquals("Dalvik", fixed.getProperty("java.vm.name"));
    assertEquals("0", fixed.getProperty("java.version"));
    assertEquals("\n", fixed.getProperty("line.separator"));
  }

  @Test
  public void theHostsAreHidden() {
    assertEquals(".", fixed.getProperty("java.class.path"));
    assertNull(fixed.getProperty("java.vm.info"));
    assertNull(fixed.getProperty("sun.arch.data.model"));
  }
}
