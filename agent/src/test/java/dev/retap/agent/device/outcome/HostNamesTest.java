// Names that this process made up are hidden: folders, numbers of classes, class loaders.
package dev.retap.agent.device.outcome;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class HostNamesTest {
  @Test
  public void failedCastsDoNotNameClassLoaders() {
    Object text = "text";
    String message = "";
    try {
      message += (Integer) text;
    } catch (ClassCastException e) {
      message = e.getMessage();
    }
    assertEquals(
        "class java.lang.String cannot be cast to class java.lang.Integer",
        HostNames.hide(message));
    assertEquals(
        "app.A: class app.A cannot be cast to class app.B\nnext (line)",
        HostNames.hide(
            "app.A: class app.A cannot be cast to class app.B (app.A is in unnamed module of loader"
                + " dev.retap.agent.device.app.AppClassLoader @22c8bf2e; app.B is in unnamed module of"
                + " loader dev.retap.agent.device.app.AppClassLoader @1ff34cde)\nnext (line)"));
    assertEquals("the loader (of coal)", HostNames.hide("the loader (of coal)"));
  }

  @Test
  public void lambdasHaveNoNumbers() {
    assertEquals("app.A$$Lambda", HostNames.hide("app.A$$Lambda$14/0x0000000800c8"));
  }
}
