// Widths and heights of characters, read from a TrueType font's own tables. They serve the API
// levels without native text, so that text wraps and lands as on a phone.
package dev.retap.agent.shadow;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

public final class GlyphWidths {
  private static final int CMAP = 0x636d6170;
  private static final int HEAD = 0x68656164;
  private static final int HHEA = 0x68686561;
  private static final int HMTX = 0x686d7478;

  /** The first of the ideographs and symbols that are as wide as they are high. */
  private static final int WIDE = 0x2e80;

  /** Android's system font. */
  public static final GlyphWidths ROBOTO = readResource("fonts/Roboto-Regular.ttf");

  private final ByteBuffer font;
  private final float unitsPerEm;
  private final int widths;
  private final int widthCount;
  private final int segments;
  private final float[] known = new float[0x180];

  /** Heights below the baseline, in parts of the text size; those above it are negative. */
  final float top;

  final float ascent;
  final float descent;
  final float bottom;

  GlyphWidths(byte[] bytes) {
    font = ByteBuffer.wrap(bytes);
    int head = findTable(HEAD);
    int hhea = findTable(HHEA);
    unitsPerEm = font.getShort(head + 18) & 0xffff;
    bottom = -font.getShort(head + 38) / unitsPerEm;
    top = -font.getShort(head + 42) / unitsPerEm;
    ascent = -font.getShort(hhea + 4) / unitsPerEm;
    descent = -font.getShort(hhea + 6) / unitsPerEm;
    widthCount = font.getShort(hhea + 34) & 0xffff;
    widths = findTable(HMTX);
    segments = findSegments(findTable(CMAP));
    for (int i = 0; i < known.length; i++) {
      known[i] = width(i);
    }
  }

  /** Returns the width of a character in parts of the text size. */
  float advance(char c) {
    if (c < known.length) {
      return known[c];
    }
    if (Character.isLowSurrogate(c) || Character.getType(c) == Character.NON_SPACING_MARK) {
      return 0;
    }
    return width(c);
  }

  private float width(int c) {
    if (c < ' ') {
      return 0;
    }
    int glyph = glyph(c);
    if (glyph == 0) {
      return c >= WIDE ? 1 : 0.5f;
    }
    int entry = Math.min(glyph, widthCount - 1);
    return (font.getShort(widths + 4 * entry) & 0xffff) / unitsPerEm;
  }

  /** Returns the glyph of a character, from the segments of a format 4 table; 0 for none. */
  private int glyph(int c) {
    int doubled = font.getShort(segments + 6) & 0xffff;
    int ends = segments + 14;
    int starts = ends + doubled + 2;
    for (int i = 0; i < doubled; i += 2) {
      if (c > (font.getShort(ends + i) & 0xffff)) {
        continue;
      }
      int start = font.getShort(starts + i) & 0xffff;
      if (c < start) {
        return 0;
      }
      int delta = font.getShort(starts + doubled + i);
      int offsetAt = starts + 2 * doubled + i;
      int offset = font.getShort(offsetAt) & 0xffff;
      if (offset == 0) {
        return (c + delta) & 0xffff;
      }
      int glyph = font.getShort(offsetAt + offset + 2 * (c - start)) & 0xffff;
      return glyph == 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  }

  private int findSegments(int cmap) {
    int count = font.getShort(cmap + 2);
    for (int i = 0; i < count; i++) {
      int subtable = cmap + font.getInt(cmap + 4 + 8 * i + 4);
      if (font.getShort(subtable) == 4) {
        return subtable;
      }
    }
    throw new IllegalArgumentException("the font has no table of basic characters");
  }

  private int findTable(int tag) {
    int count = font.getShort(4);
    for (int i = 0; i < count; i++) {
      if (font.getInt(12 + 16 * i) == tag) {
        return font.getInt(12 + 16 * i + 8);
      }
    }
    throw new IllegalArgumentException("the font has no table " + Integer.toHexString(tag));
  }

  private static GlyphWidths readResource(String name) {
    try (InputStream in = GlyphWidths.class.getClassLoader().getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("Robolectric has no " + name);
      }
      return new GlyphWidths(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }
}
