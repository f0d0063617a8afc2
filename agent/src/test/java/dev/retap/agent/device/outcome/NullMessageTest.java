// An exception about null tells what was tried with it.
package dev.retap.agent.device.outcome;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.List;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;

public final class NullMessageTest {
  private static final int LEVEL = 33;

  private int[] none;
  private String text;
  private List<String> list;
  private StringBuilder[] builders = {null};
  private RuntimeException exception;

  @Test
  public void callsOnNullNameTheMethod() {
    assertEquals(
        "Attempt to invoke virtual method 'int java.lang.String.length()' on a null object"
            + " reference",
        ofNull(LEVEL, () -> text.length()));
    assertEquals(
        "Attempt to invoke interface method 'boolean java.util.List.add(java.lang.Object)' on a"
            + " null object reference",
        ofNull(LEVEL, () -> list.add("x")));
    assertEquals(
        "Attempt to invoke virtual method 'java.lang.StringBuilder"
            + " java.lang.StringBuilder.append(char[], int, int)' on a null object reference",
        ofNull(LEVEL, () -> builders[0].append(new char[1], 0, 1)));
    assertEquals(
        "Attempt to invoke virtual method 'java.lang.Class java.lang.String.getClass()' on a null"
            + " object reference",
        translate("Cannot invoke \"String.getClass()\" because \"x\" is null"));
  }

  @Test
  public void arraysThatAreNullAreToldByWhatWasTried() {
    assertEquals(
        "Attempt to get length of null array", ofNull(LEVEL, () -> System.out.print(none.length)));
    assertEquals("Attempt to read from null array", ofNull(LEVEL, () -> System.out.print(none[1])));
    assertEquals("Attempt to write to null array", ofNull(LEVEL, () -> none[1] = 2));
  }

  @Test
  public void monitorsOfNullAreTold() {
    assertEquals(
        "Null reference used for synchronization (monitor-enter)",
        ofNull(
            LEVEL,
            () -> {
              synchronized (list) {
                text = "";
              }
            }));
  }

  @Test
  public void nullThatIsThrownIsToldUntilLevel29() {
    ThrowingRunnable code =
        () -> {
          throw exception;
        };
    assertEquals("throw with null exception", ofNull(29, code));
    assertEquals(null, ofNull(30, code));
  }

  @Test
  public void whatCannotBeTranslatedStays() {
    for (String message :
        new String[] {
          "Cannot read field \"x\" because \"y\" is null",
          "Cannot invoke \"no.such.Type.method()\"",
          "Cannot invoke \"String.noSuchMethod()\"",
          "of the app"
        }) {
      assertEquals(message, translate(message));
    }
  }

  private static String translate(String message) {
    return NullMessage.of(message, new StackTraceElement[0], loader(), LEVEL);
  }

  private static String ofNull(int level, ThrowingRunnable code) {
    Throwable thrown = assertThrows(NullPointerException.class, code);
    return NullMessage.of(thrown.getMessage(), thrown.getStackTrace(), loader(), level);
  }

  private static ClassLoader loader() {
    return NullMessageTest.class.getClassLoader();
  }
}
