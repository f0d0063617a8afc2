// Code of the app hears Android's words of exceptions of the virtual machine, and its own words of
// its own exceptions.
package dev.retap.agent.device.app;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.Test;

public final class ArtWordsTest {
  private String text;
  private int zero;

  @Test
  public void exceptionsOfTheMachineAreTranslated() {
    Throwable ofNull = assertThrows(NullPointerException.class, () -> text.length());
    String message =
        "Attempt to invoke virtual method 'int java.lang.String.length()' on a null object"
            + " reference";
    assertEquals(message, ArtWords.getMessage(ofNull));
    assertEquals(message, ArtWords.getLocalizedMessage(ofNull));
    assertEquals("java.lang.NullPointerException: " + message, ArtWords.toString(ofNull));
    Throwable division = assertThrows(ArithmeticException.class, () -> zero = 1 / zero);
    assertEquals("java.lang.ArithmeticException: divide by zero", ArtWords.toString(division));
  }

  @Test
  public void anExceptionThatRepeatsItsCauseRepeatsTheTranslation() {
    Throwable cause = new ArithmeticException("/ by zero");
    String text = "java.lang.ArithmeticException: divide by zero";
    assertEquals(text, ArtWords.getMessage(new RuntimeException(cause)));
    assertEquals(
        "java.lang.Exception: cannot: java.lang.RuntimeException: " + text,
        ArtWords.toString(
            new Exception("cannot: " + new RuntimeException(cause), new Error(cause))));
  }

  @Test
  public void whatTheAppPrintsIsTranslatedToo() {
    Exception thrown = new Exception("x", new ArithmeticException("/ by zero"));
    StringWriter text = new StringWriter();
    ArtWords.printStackTrace(thrown, new PrintWriter(text, true));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ArtWords.printStackTrace(thrown, new PrintStream(bytes, true));
    for (String printed : List.of(text.toString(), bytes.toString())) {
      assertTrue(printed, printed.startsWith("java.lang.Exception: x\n\tat "));
      assertTrue(
          printed,
          printed.contains("\nCaused by: java.lang.ArithmeticException: divide by zero\n"));
    }
  }

  @Test
  public void exceptionsOfTheAppAreNotTouched() {
    assertEquals("/ by zero", ArtWords.getMessage(new IllegalStateException("/ by zero")));
    assertEquals(null, ArtWords.getMessage(new NullPointerException()));
    assertEquals("java.lang.NullPointerException", ArtWords.toString(new NullPointerException()));
    assertEquals(
        "java.lang.IllegalStateException: x", ArtWords.toString(new IllegalStateException("x")));
  }

  @Test
  public void anAppThatAsksNullFailsInThePackageThatPassesItsCallsOn() {
    Throwable thrown = assertThrows(NullPointerException.class, () -> ArtWords.toString(null));
    assertEquals(ArtWords.class.getName(), thrown.getStackTrace()[0].getClassName());
  }
}
