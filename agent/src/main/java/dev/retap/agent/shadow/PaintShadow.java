// Measures text below API 26, where Robolectric gives every text the width zero.
package dev.retap.agent.shadow;

import android.graphics.Paint;
import android.graphics.Rect;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPaint;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@Implements(value = Paint.class, maxSdk = 25)
public class PaintShadow extends ShadowPaint {
  private static final float DEFAULT_SIZE = 12;

  @RealObject private Paint real;

  @Implementation
  protected void __constructor__(Paint other) {
    super.__constructor__(other);
    copy(other);
  }

  @Implementation
  protected void set(Paint other) {
    Shadow.directlyOn(real, Paint.class, "set", ClassParameter.from(Paint.class, other));
    if (other != real) {
      copy(other);
    }
  }

  /** Copies what Robolectric's paint keeps beside the native one and does not copy itself. */
  private void copy(Paint other) {
    setTextSize(other.getTextSize());
    setTextScaleX(other.getTextScaleX());
    setLetterSpacing(other.getLetterSpacing());
    setTypeface(other.getTypeface());
    setTextAlign(other.getTextAlign());
    setColor(other.getColor());
    setStyle(other.getStyle());
    setFlags(other.getFlags());
  }

  /** Returns the width of one character in pixels. */
  public float advance(char c) {
    return size() * (GlyphWidths.ROBOTO.advance(c) * getTextScaleX() + getLetterSpacing());
  }

  private float size() {
    float size = getTextSize();
    return size == 0 ? DEFAULT_SIZE : size;
  }

  /** Returns the width of a text and, unless `into` is null, writes the width of each character. */
  private float advance(CharSequence text, int start, int end, float[] into, int at) {
    float sum = 0;
    for (int i = start; i < end; i++) {
      float width = advance(text.charAt(i));
      sum += width;
      if (into != null) {
        into[at + i - start] = width;
      }
    }
    return sum;
  }

  @Implementation
  protected float measureText(String text) {
    return measureText(text, 0, text.length());
  }

  @Implementation
  protected float measureText(CharSequence text, int start, int end) {
    return (float) Math.ceil(advance(text, start, end, null, 0));
  }

  @Implementation
  protected float measureText(String text, int start, int end) {
    return measureText((CharSequence) text, start, end);
  }

  @Implementation
  protected float measureText(char[] text, int index, int count) {
    return measureText(new String(text, index, count));
  }

  @Implementation
  protected int getTextWidths(char[] text, int index, int count, float[] into) {
    advance(new String(text, index, count), 0, count, into, 0);
    return count;
  }

  @Implementation
  protected int getTextWidths(String text, int start, int end, float[] into) {
    advance(text, start, end, into, 0);
    return end - start;
  }

  @Implementation
  protected float getTextRunAdvances(
      char[] text,
      int index,
      int count,
      int contextIndex,
      int contextCount,
      boolean rightToLeft,
      float[] into,
      int at) {
    return advance(new String(text, index, count), 0, count, into, at);
  }

  @Implementation
  protected float getTextRunAdvances(
      String text,
      int start,
      int end,
      int contextStart,
      int contextEnd,
      boolean rightToLeft,
      float[] into,
      int at) {
    return advance(text, start, end, into, at);
  }

  @Implementation
  protected float getRunAdvance(
      char[] text,
      int start,
      int end,
      int contextStart,
      int contextEnd,
      boolean rightToLeft,
      int offset) {
    return advance(new String(text, start, offset - start), 0, offset - start, null, 0);
  }

  @Implementation
  protected int getOffsetForAdvance(
      char[] text,
      int start,
      int end,
      int contextStart,
      int contextEnd,
      boolean rightToLeft,
      float wanted) {
    float sum = 0;
    for (int i = start; i < end; i++) {
      float width = advance(text[i]);
      if (sum + width / 2 > wanted) {
        return i;
      }
      sum += width;
    }
    return end;
  }

  @Implementation
  protected int breakText(char[] text, int index, int count, float most, float[] measured) {
    String part = new String(text, index, Math.abs(count));
    return breakText(part, count >= 0, most, measured);
  }

  @Implementation
  protected int breakText(String text, boolean forwards, float most, float[] measured) {
    float sum = 0;
    int taken = 0;
    while (taken < text.length()) {
      float width = advance(text.charAt(forwards ? taken : text.length() - 1 - taken));
      if (sum + width > most) {
        break;
      }
      sum += width;
      taken++;
    }
    if (measured != null && measured.length > 0) {
      measured[0] = sum;
    }
    return taken;
  }

  @Implementation
  protected void getTextBounds(String text, int start, int end, Rect bounds) {
    int width = Math.round(advance(text, start, end, null, 0));
    bounds.set(0, start == end ? 0 : Math.round(size() * -0.72f), width, 0);
  }

  @Implementation
  protected void getTextBounds(char[] text, int index, int count, Rect bounds) {
    getTextBounds(new String(text, index, count), 0, count, bounds);
  }

  @Implementation
  protected float ascent() {
    return GlyphWidths.ROBOTO.ascent * size();
  }

  @Implementation
  protected float descent() {
    return GlyphWidths.ROBOTO.descent * size();
  }

  @Implementation
  protected float getFontMetrics(Paint.FontMetrics metrics) {
    if (metrics != null) {
      metrics.top = GlyphWidths.ROBOTO.top * size();
      metrics.ascent = ascent();
      metrics.descent = descent();
      metrics.bottom = GlyphWidths.ROBOTO.bottom * size();
      metrics.leading = 0;
    }
    return descent() - ascent();
  }

  @Implementation
  protected int getFontMetricsInt(Paint.FontMetricsInt metrics) {
    if (metrics != null) {
      metrics.top = (int) Math.floor(GlyphWidths.ROBOTO.top * size());
      metrics.ascent = Math.round(ascent());
      metrics.descent = Math.round(descent());
      metrics.bottom = (int) Math.ceil(GlyphWidths.ROBOTO.bottom * size());
      metrics.leading = 0;
    }
    return Math.round(descent()) - Math.round(ascent());
  }
}
