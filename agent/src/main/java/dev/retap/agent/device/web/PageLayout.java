// Where the parts of a page are when it is as wide as its view.
package dev.retap.agent.device.web;

import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Rect;
import android.text.Layout;
import android.text.SpannableString;
import android.text.Spanned;
import android.text.StaticLayout;
import android.text.TextPaint;
import android.text.style.ForegroundColorSpan;
import android.text.style.StyleSpan;
import android.text.style.UnderlineSpan;

final class PageLayout {
  private static final int MARGIN = 8;
  private static final int TEXT_SIZE = 16;
  private static final int LINK_COLOUR = 0xff0000ee;
  private static final float LINE_SPACING = 1.3f;

  private final Page page;
  private final int width;
  private final float density;
  private final int margin;
  private final Layout lines;

  PageLayout(Page page, int width, float density) {
    this.page = page;
    this.width = width;
    this.density = density;
    margin = (int) (MARGIN * density);
    TextPaint paint = new TextPaint(TextPaint.ANTI_ALIAS_FLAG);
    paint.setTextSize(TEXT_SIZE * density);
    paint.setColor(Color.BLACK);
    lines =
        new StaticLayout(
            styled(page),
            paint,
            Math.max(1, width - 2 * margin),
            Layout.Alignment.ALIGN_NORMAL,
            LINE_SPACING,
            0,
            false);
  }

  private static CharSequence styled(Page page) {
    SpannableString text = new SpannableString(page.text());
    for (Page.Part part : page.parts()) {
      Object[] styles =
          switch (part.kind()) {
            case LINK -> new Object[] {new ForegroundColorSpan(LINK_COLOUR), new UnderlineSpan()};
            case HEADING, BUTTON -> new Object[] {new StyleSpan(android.graphics.Typeface.BOLD)};
            default -> new Object[0];
          };
      for (Object style : styles) {
        text.setSpan(style, part.start(), part.end(), Spanned.SPAN_EXCLUSIVE_EXCLUSIVE);
      }
    }
    return text;
  }

  int width() {
    return width;
  }

  float density() {
    return density;
  }

  int height() {
    return page.text().isEmpty() ? 0 : lines.getHeight() + 2 * margin;
  }

  void draw(Canvas canvas) {
    int saved = canvas.save();
    canvas.translate(margin, margin);
    lines.draw(canvas);
    canvas.restoreToCount(saved);
  }

  /** Returns the bounds on the page; a link that goes on in the next line has its first line's. */
  Rect bounds(Page.Part part) {
    int first = lines.getLineForOffset(part.start());
    int last = lines.getLineForOffset(Math.max(part.start(), part.end() - 1));
    boolean whole = part.kind() == Page.Kind.TEXT || part.kind() == Page.Kind.HEADING;
    int end = whole ? last : first;
    float left = lines.getPrimaryHorizontal(part.start());
    float right = last > first ? lines.getLineRight(first) : lines.getPrimaryHorizontal(part.end());
    if (whole && last > first) {
      left = 0;
      for (int line = first; line <= last; line++) {
        right = Math.max(right, lines.getLineRight(line));
      }
    }
    if (last == first && part.end() < page.text().length() && right <= left) {
      right = lines.getLineRight(first);
    }
    Rect bounds =
        new Rect(
            (int) Math.min(left, right),
            lines.getLineTop(first),
            (int) Math.ceil(Math.max(left, right)),
            lines.getLineBottom(end));
    bounds.offset(margin, margin);
    return bounds;
  }

  /** Returns the part at a point of the page, the later of two, or null. */
  Page.Part partAt(float x, float y) {
    Page.Part found = null;
    for (Page.Part part : page.parts()) {
      if (bounds(part).contains((int) x, (int) y)
          && (found == null || part.kind() != Page.Kind.TEXT)) {
        found = part;
      }
    }
    return found;
  }
}
