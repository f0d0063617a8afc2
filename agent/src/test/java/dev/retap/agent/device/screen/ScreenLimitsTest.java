package dev.retap.agent.device.screen;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class ScreenLimitsTest {
  @Test
  public void aLongTextEndsWithAnEllipsisAndSplitsNoCharacter() {
    ScreenLimits limits = new ScreenLimits();
    assertNull(limits.text(null));
    assertEquals("short", limits.text("short"));
    String longest = "x".repeat(ScreenLimits.MAX_TEXT);
    assertEquals(longest, limits.text(longest));
    assertEquals(longest + "…", limits.text(longest + "yz"));
    String before = "x".repeat(ScreenLimits.MAX_TEXT - 1);
    assertEquals(before + "…", limits.text(before + "😀"));
  }

  @Test
  public void textsAreShortOnceAScreenHasTooMany() {
    ScreenLimits limits = new ScreenLimits();
    String text = "x".repeat(ScreenLimits.MAX_TEXT);
    int whole = 0;
    while (limits.text(text).length() == text.length()) {
      whole++;
    }
    assertTrue(whole > 10);
    assertTrue(limits.text(text).length() < 100);
  }

  @Test
  public void widgetsRunOut() {
    ScreenLimits limits = new ScreenLimits();
    int taken = 0;
    while (limits.takeWidget()) {
      taken++;
    }
    assertTrue(taken > 1000);
    assertFalse(limits.takeWidget());
  }

  @Test
  public void aTextThatCannotBeReadIsEmpty() {
    assertEquals("", new ScreenLimits().text(new BrokenText()));
  }

  private static final class BrokenText implements CharSequence {
    @Override
    public int length() {
      throw new IllegalStateException();
    }

    @Override
    public char charAt(int index) {
      throw new IllegalStateException();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      throw new IllegalStateException();
    }
  }
}
