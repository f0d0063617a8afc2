// A string that refuses an index tells it in the words of the level.
package dev.retap.agent.device.outcome;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import org.junit.Test;
import org.junit.function.ThrowingRunnable;

public final class StringMessageTest {
  @Test
  public void aPartThatEndsTooLate() {
    ThrowingRunnable code = () -> "ab".substring(1, 3);
    assertEquals("length=2; regionStart=1; regionLength=2", translate(25, code));
    assertEquals("length=2; index=3", translate(26, code));
    assertEquals("length=2; index=3", translate(32, () -> "ab".subSequence(1, 3)));
    assertEquals("begin 1, end 3, length 2", translate(33, code));
  }

  @Test
  public void aPartThatBeginsBelowZero() {
    ThrowingRunnable code = () -> "ab".substring(-1, 1);
    assertEquals("length=2; regionStart=-1; regionLength=2", translate(23, code));
    assertEquals("length=2; index=-1", translate(24, code));
    assertEquals("begin -1, end 1, length 2", translate(33, code));
  }

  @Test
  public void aPartThatEndsBeforeItBegins() {
    ThrowingRunnable code = () -> "ab".substring(2, 1);
    assertEquals("length=2; regionStart=2; regionLength=-1", translate(24, code));
    assertEquals("String index out of range: -1", translate(26, code));
    assertEquals("begin 2, end 1, length 2", translate(35, code));
  }

  @Test
  public void theRestOfAString() {
    for (int level : new int[] {23, 35}) {
      assertEquals("length=2; index=3", translate(level, () -> "ab".substring(3)));
      assertEquals("length=2; index=-1", translate(level, () -> "ab".substring(-1)));
    }
  }

  @Test
  public void aCharacterIsToldIfTheLengthIsKnown() {
    assertEquals("length=2; index=9", translate(33, () -> "\u20ac\u20ac".charAt(9)));
    assertEquals("length=0; index=0", translate(33, () -> "".charAt(0)));
    assertEquals("String index out of range: 9", translate(33, () -> "ab".charAt(9)));
    assertEquals("index 9, length 0", translate(33, () -> new StringBuilder().charAt(9)));
  }

  @Test
  public void whatTheAppSaysStays() {
    String message = "begin 1, end 3, length 2";
    assertEquals(message, StringMessage.of(message, new Exception().getStackTrace(), 23));
  }

  private static String translate(int level, ThrowingRunnable code) {
    Throwable thrown = assertThrows(StringIndexOutOfBoundsException.class, code);
    return StringMessage.of(thrown.getMessage(), thrown.getStackTrace(), level);
  }
}
