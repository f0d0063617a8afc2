package dev.retap.agent.shadow;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class GlyphWidthsTest {
  private static final float EXACT = 1e-4f;

  @Test
  public void heightsComeFromTheFont() {
    assertEquals(-1900 / 2048f, GlyphWidths.ROBOTO.ascent, EXACT);
    assertEquals(500 / 2048f, GlyphWidths.ROBOTO.descent, EXACT);
    assertTrue(GlyphWidths.ROBOTO.top < GlyphWidths.ROBOTO.ascent);
    assertTrue(GlyphWidths.ROBOTO.bottom > GlyphWidths.ROBOTO.descent);
  }

  @Test
  public void digitsHaveOneWidthAndLettersDoNot() {
    for (char digit = '0'; digit <= '9'; digit++) {
      assertEquals(GlyphWidths.ROBOTO.advance('0'), GlyphWidths.ROBOTO.advance(digit), EXACT);
    }
    assertTrue(GlyphWidths.ROBOTO.advance('i') < GlyphWidths.ROBOTO.advance('W') / 3);
  }

  @Test
  public void aCharacterThatTheFontLacksStillHasAWidth() {
    assertEquals(1, GlyphWidths.ROBOTO.advance('漢'), EXACT);
    assertEquals(0, GlyphWidths.ROBOTO.advance('\n'), EXACT);
    assertEquals(0, GlyphWidths.ROBOTO.advance('\u0301'), EXACT);
  }
}
