// Arguments of a binder call are found by declared type and order.
package dev.retap.agent.device.binder;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import org.junit.Test;

public class BinderCallTest {
  interface Service {
    void start(
        Object caller, String callingPackage, CharSequence text, int code, int flags, String who);

    void stop(boolean now, boolean forGood);
  }

  private final BinderCall start = call("start", null, "app", "text", 4, 8, "me");

  @Test
  public void firstAndLastFollowTheDeclaredTypeNotTheValue() {
    assertEquals("app", start.first(String.class));
    assertEquals("me", start.last(String.class));
    assertEquals("text", start.first(CharSequence.class));
  }

  @Test
  public void nullArgumentsAreNull() {
    assertNull(start.first(Object.class));
  }

  @Test
  public void nthCountsOnlyArgumentsOfTheType() {
    assertEquals("me", start.nth(String.class, 1));
    assertNull(start.nth(String.class, 2));
  }

  @Test
  public void missingNumbersAreZero() {
    assertEquals(4, start.number(0));
    assertEquals(8, start.number(1));
    assertEquals(0, start.number(2));
  }

  @Test
  public void missingFlagsAreFalse() {
    BinderCall stop = call("stop", false, true);
    assertFalse(stop.flag(0));
    assertTrue(stop.flag(1));
    assertFalse(stop.flag(2));
  }

  private static BinderCall call(String name, Object... arguments) {
    return Arrays.stream(Service.class.getDeclaredMethods())
        .filter(method -> method.getName().equals(name))
        .map(method -> new BinderCall(method, arguments))
        .findFirst()
        .orElseThrow();
  }
}
