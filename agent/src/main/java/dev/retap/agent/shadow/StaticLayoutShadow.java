// Breaks lines below API 26, where Robolectric sets every paragraph in one line. It is greedy: a
// line takes the words that fit, and a word that is wider than a line is cut.
package dev.retap.agent.shadow;

import android.text.StaticLayout;
import android.text.TextPaint;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.robolectric.annotation.ClassName;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowStaticLayout;
import org.robolectric.util.ReflectionHelpers;

@Implements(value = StaticLayout.class, maxSdk = 25)
public class StaticLayoutShadow extends ShadowStaticLayout {
  private static final int HAS_TAB = 0x20000000;
  private static final int IDEOGRAPHS = 0x2e80;

  private static final Map<Long, Paragraph> BUILDERS = new HashMap<>();
  private static long lastBuilder;

  /** The content of a native builder. */
  private static final class Paragraph {
    char[] text = new char[0];
    float[] widths = new float[0];
    float firstWidth;
    int firstLines;
    float restWidth;
    int tab = 20;
  }

  @Implementation
  protected static synchronized long nNewBuilder() {
    BUILDERS.put(++lastBuilder, new Paragraph());
    return lastBuilder;
  }

  @Implementation
  protected static synchronized void nFreeBuilder(long builder) {
    BUILDERS.remove(builder);
  }

  @Implementation
  protected static synchronized void nSetupParagraph(
      long builder,
      char[] text,
      int length,
      float firstWidth,
      int firstLines,
      float restWidth,
      int[] tabs,
      int tab,
      int strategy,
      int hyphenation) {
    Paragraph paragraph = BUILDERS.computeIfAbsent(builder, id -> new Paragraph());
    paragraph.text = Arrays.copyOf(text, length);
    paragraph.widths = new float[length];
    paragraph.firstWidth = firstWidth;
    paragraph.firstLines = firstLines;
    paragraph.restWidth = restWidth;
    paragraph.tab = Math.max(1, tab);
  }

  @Implementation
  protected static synchronized void nAddMeasuredRun(
      long builder, int start, int end, float[] widths) {
    System.arraycopy(widths, start, BUILDERS.get(builder).widths, start, end - start);
  }

  @Implementation
  protected static synchronized void nAddReplacementRun(
      long builder, int start, int end, float width) {
    float[] widths = BUILDERS.get(builder).widths;
    Arrays.fill(widths, start, end, 0);
    widths[start] = width;
  }

  @Implementation
  protected static synchronized void nGetWidths(long builder, float[] into) {
    float[] widths = BUILDERS.get(builder).widths;
    System.arraycopy(widths, 0, into, 0, widths.length);
  }

  @Implementation
  public static synchronized int nComputeLineBreaks(
      long builder,
      @ClassName("android.text.StaticLayout$LineBreaks") Object lines,
      int[] breaks,
      float[] widths,
      int[] flags,
      int capacity) {
    Paragraph paragraph = BUILDERS.get(builder);
    int length = paragraph.text.length;
    int[] ends = new int[Math.max(1, length)];
    float[] lineWidths = new float[ends.length];
    int[] lineFlags = new int[ends.length];
    int count = 0;
    for (int start = 0; start < length || count == 0; count++) {
      float room = count < paragraph.firstLines ? paragraph.firstWidth : paragraph.restWidth;
      ends[count] = lineEnd(paragraph, start, room);
      for (int i = start; i < ends[count]; i++) {
        boolean tab = paragraph.text[i] == '\t';
        lineFlags[count] |= tab ? HAS_TAB : 0;
        lineWidths[count] = widthAfter(paragraph, i, lineWidths[count]);
      }
      start = ends[count];
    }
    if (count > capacity) {
      ReflectionHelpers.setField(lines, "breaks", Arrays.copyOf(ends, count));
      ReflectionHelpers.setField(lines, "widths", Arrays.copyOf(lineWidths, count));
      ReflectionHelpers.setField(lines, "flags", Arrays.copyOf(lineFlags, count));
    } else {
      System.arraycopy(ends, 0, breaks, 0, count);
      System.arraycopy(lineWidths, 0, widths, 0, count);
      System.arraycopy(lineFlags, 0, flags, 0, count);
    }
    return count;
  }

  /** Returns the end of the line that starts here; spaces at its end may hang over. */
  private static int lineEnd(Paragraph paragraph, int start, float room) {
    float width = 0;
    int opportunity = -1;
    for (int i = start; i < paragraph.text.length; i++) {
      char c = paragraph.text[i];
      width = widthAfter(paragraph, i, width);
      boolean space = c == ' ' || c == '\t' || c == '\n';
      if (width > room && !space && i > start) {
        return opportunity > start ? opportunity : i;
      }
      if (space || c == '-' || c >= IDEOGRAPHS && !Character.isSurrogate(c)) {
        opportunity = i + 1;
      }
    }
    return paragraph.text.length;
  }

  /** Returns the width of a line once the character at the index is added. */
  private static float widthAfter(Paragraph paragraph, int index, float width) {
    return paragraph.text[index] == '\t'
        ? ((int) (width / paragraph.tab) + 1) * paragraph.tab
        : width + paragraph.widths[index];
  }

  /** Measures runs of text here, because the native method below knows only the paint's address. */
  @Implements(className = "android.text.StaticLayout$Builder", maxSdk = 25, isInAndroidSdk = false)
  public static class Builder {
    @RealObject private Object real;

    @Implementation
    protected float addStyleRun(TextPaint paint, int start, int end, boolean rightToLeft) {
      synchronized (StaticLayoutShadow.class) {
        Paragraph paragraph = BUILDERS.get((Long) ReflectionHelpers.getField(real, "mNativePtr"));
        PaintShadow measured = Shadow.extract(paint);
        float sum = 0;
        for (int i = start; i < end; i++) {
          paragraph.widths[i] = measured.advance(paragraph.text[i]);
          sum += paragraph.widths[i];
        }
        return sum;
      }
    }
  }
}
