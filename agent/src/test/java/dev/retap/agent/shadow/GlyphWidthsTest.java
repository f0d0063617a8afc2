package dev.retap.agent.shadow;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class GlyphWidthsTest {
  private static final float EXACT = 1e-4f;

  @Test
  public void heightsAreTheFonts() {
    assertEquals(-1900 / 2048f, GlyphWidths.ROBOTO.ascent, EXACT);
    assertEquals(500 / 2048f, GlyphWidths.ROBOTO.descent, EXACT);
    assertTrue(GlyphWidths.ROBOTO.top < GlyphWidths.ROBOTO.ascent);
    assertTrue(GlyphWidths.ROBOTO.bottom > GlyphWidths.ROBOTO.descent);
  }

  @Test
  public void figuresAreOfOneWidthAndLettersAreNot() {
    for (char figure = '0'; figure <= '9'; figure++) {
      assertEquals(GlyphWidths.ROBOTO.advance('0'), GlyphWidths.ROBOTO.advance(figure), EXACT);
    }
    assertTrue(GlyphWidths.ROBOTO.advance('i') < GlyphWidths.ROBOTO.advance('W') / 3);
  }

  @Test
  public void whatTheFontLacksStillTakesRoom() {
    assertEquals(1, GlyphWidths.ROBOTO.advance('漢'), EXACT);
    assertEquals(0, GlyphWidths.ROBOTO.advance('\n'), EXACT);
    assertEquals(0, GlyphWidths.ROBOTO.advance('\u0301'), EXACT);
  }
}
