package dev.retap.agent.shadow;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class GlyphsTest {
  private static final float EXACT = 1e-4f;

  @Test
  public void heightsAreTheFonts() {
    assertEquals(-1900 / 2048f, Glyphs.ROBOTO.ascent, EXACT);
    assertEquals(500 / 2048f, Glyphs.ROBOTO.descent, EXACT);
    assertTrue(Glyphs.ROBOTO.top < Glyphs.ROBOTO.ascent);
    assertTrue(Glyphs.ROBOTO.bottom > Glyphs.ROBOTO.descent);
  }

  @Test
  public void figuresAreOfOneWidthAndLettersAreNot() {
    for (char figure = '0'; figure <= '9'; figure++) {
      assertEquals(Glyphs.ROBOTO.advance('0'), Glyphs.ROBOTO.advance(figure), EXACT);
    }
    assertTrue(Glyphs.ROBOTO.advance('i') < Glyphs.ROBOTO.advance('W') / 3);
  }

  @Test
  public void whatTheFontLacksStillTakesRoom() {
    assertEquals(1, Glyphs.ROBOTO.advance('漢'), EXACT);
    assertEquals(0, Glyphs.ROBOTO.advance('\n'), EXACT);
    assertEquals(0, Glyphs.ROBOTO.advance('\u0301'), EXACT);
  }
}
