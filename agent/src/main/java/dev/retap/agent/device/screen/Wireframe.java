// A picture for API levels below 26, where the host has no graphics: outlines, plain colours and
// the text, line by line where the framework laid it out. The picture names itself a wireframe.
package dev.retap.agent.device.screen;

import android.graphics.Rect;
import android.graphics.drawable.ColorDrawable;
import android.text.Layout;
import android.view.View;
import android.view.ViewGroup;
import android.view.WindowManager.LayoutParams;
import android.widget.Button;
import android.widget.CompoundButton;
import android.widget.EditText;
import android.widget.ImageView;
import android.widget.TextView;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontFormatException;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import javax.imageio.ImageIO;
import org.robolectric.RuntimeEnvironment;

final class Wireframe {
  private static final Color PAPER = new Color(0xfafafa);
  private static final Color INK = new Color(0x212121);
  private static final Color LINE = new Color(0xb0b0b0);
  private static final Color FACE = new Color(0xd6d7d7);

  /** The least difference in brightness at which text is readable. */
  private static final int MIN_CONTRAST = 60;

  private final BufferedImage image;
  private final Graphics2D pen;
  private final Font font;

  private Wireframe(BufferedImage image, Graphics2D pen) {
    this.image = image;
    this.pen = pen;
    this.font = font();
    pen.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
  }

  static byte[] png(List<Window> windows, List<Overlay> overlays) {
    Rect display = SystemBars.display();
    BufferedImage image =
        new BufferedImage(display.width(), display.height(), BufferedImage.TYPE_INT_RGB);
    Graphics2D pen = image.createGraphics();
    Wireframe frame = new Wireframe(image, pen);
    windows.forEach(window -> frame.drawWindow(window, display));
    overlays.forEach(frame::drawOverlay);
    float size = 10 * SystemBars.density();
    String mark = "wireframe: no graphics at API " + RuntimeEnvironment.getApiLevel();
    frame.write(mark, size, display.bottom - size / 2, size, LINE);
    pen.dispose();
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "png", png);
    } catch (IOException e) {
      throw new UncheckedIOException("picture", e);
    }
    return png.toByteArray();
  }

  private void drawWindow(Window window, Rect display) {
    if (window.hasFlag(LayoutParams.FLAG_DIM_BEHIND)) {
      pen.setColor(new Color(0, 0, 0, Math.min(1, window.params().dimAmount)));
      pen.fillRect(0, 0, display.width(), display.height());
    }
    int[] at = window.location();
    pen.setColor(PAPER);
    pen.fillRect(at[0], at[1], window.view().getWidth(), window.view().getHeight());
    drawView(window.view(), at[0], at[1]);
  }

  private void drawOverlay(Overlay overlay) {
    Rect bounds = overlay.bounds();
    pen.setColor(Color.DARK_GRAY);
    pen.fillRect(bounds.left, bounds.top, bounds.width(), bounds.height());
    if (overlay.root().text() != null) {
      float size = 14 * SystemBars.density();
      write(
          overlay.root().text().toString(),
          bounds.left + size,
          bounds.centerY() + size / 3,
          size,
          Color.WHITE);
    }
  }

  private void drawView(View view, int windowLeft, int windowTop) {
    Rect visible = new Rect();
    if (view.getVisibility() != View.VISIBLE || !view.getGlobalVisibleRect(visible)) {
      return;
    }
    visible.offset(windowLeft, windowTop);
    drawBackground(view, visible);
    if (view instanceof TextView text) {
      drawText(text, visible);
    } else if (view instanceof ImageView) {
      pen.setColor(LINE);
      pen.drawRect(visible.left, visible.top, visible.width() - 1, visible.height() - 1);
      pen.drawLine(visible.left, visible.top, visible.right, visible.bottom);
      pen.drawLine(visible.left, visible.bottom, visible.right, visible.top);
    } else if (view instanceof ViewGroup group) {
      for (int i = 0; i < group.getChildCount(); i++) {
        drawView(group.getChildAt(i), windowLeft, windowTop);
      }
    }
  }

  private void drawBackground(View view, Rect visible) {
    if (view.getBackground() instanceof ColorDrawable colour) {
      pen.setColor(new Color(colour.getColor(), true));
      pen.fillRect(visible.left, visible.top, visible.width(), visible.height());
    } else if (view instanceof CompoundButton box) {
      int side = Math.round(18 * SystemBars.density());
      int top = visible.centerY() - side / 2;
      pen.setColor(INK);
      pen.drawRect(visible.left + side / 3, top, side, side);
      if (box.isChecked()) {
        pen.fillRect(visible.left + side / 3 + 4, top + 4, side - 7, side - 7);
      }
    } else if (view instanceof Button && view.getBackground() != null) {
      int gap = Math.round(4 * SystemBars.density());
      pen.setColor(FACE);
      pen.fillRoundRect(
          visible.left + gap,
          visible.top + gap,
          visible.width() - 2 * gap,
          visible.height() - 2 * gap,
          gap,
          gap);
    } else if (view instanceof EditText) {
      int base = visible.bottom - Math.round(8 * SystemBars.density());
      pen.setColor(view.isFocused() ? INK : LINE);
      pen.drawLine(visible.left, base, visible.right, base);
    }
  }

  private void drawText(TextView view, Rect visible) {
    Layout layout = view.getLayout();
    boolean hint = view.length() == 0;
    if (layout == null || hint && view.getHint() == null) {
      return;
    }
    int[] at = new int[2];
    view.getLocationOnScreen(at);
    java.awt.Shape clip = pen.getClip();
    pen.clipRect(visible.left, visible.top, visible.width(), visible.height());
    float left = at[0] + view.getTotalPaddingLeft() - view.getScrollX();
    float top = at[1] + view.getTotalPaddingTop() - view.getScrollY();
    Color colour = hint ? LINE : new Color(view.getCurrentTextColor(), true);
    String shown = hint ? view.getHint().toString() : ShownText.text(view).toString();
    if (hint) {
      write(shown, left, top - view.getPaint().ascent(), view.getTextSize(), colour);
    } else {
      for (int i = 0; i < layout.getLineCount(); i++) {
        int end = Math.min(shown.length(), layout.getLineEnd(i));
        String line = shown.substring(Math.min(end, layout.getLineStart(i)), end).stripTrailing();
        write(
            line,
            left + layout.getLineLeft(i),
            top + layout.getLineBaseline(i),
            view.getTextSize(),
            colour);
      }
    }
    pen.setClip(clip);
  }

  /** Writes text, except on a host without a font. */
  private void write(String text, float x, float baseline, float size, Color colour) {
    if (font != null && !text.isEmpty()) {
      pen.setColor(readable(colour, (int) x, (int) baseline));
      pen.setFont(font.deriveFont(size));
      pen.drawString(text, x, baseline);
    }
  }

  /** Returns a colour that can be read: backgrounds not drawn here may leave light on light. */
  private Color readable(Color colour, int x, int y) {
    if (x < 0 || y < 0 || x >= image.getWidth() || y >= image.getHeight()) {
      return colour;
    }
    int paper = brightness(new Color(image.getRGB(x, y)));
    if (Math.abs(brightness(colour) - paper) >= MIN_CONTRAST) {
      return colour;
    }
    return paper > 128 ? INK : PAPER;
  }

  private static int brightness(Color colour) {
    return (3 * colour.getRed() + 6 * colour.getGreen() + colour.getBlue()) / 10;
  }

  private static Font font() {
    try (InputStream in =
        Wireframe.class.getClassLoader().getResourceAsStream("fonts/Roboto-Regular.ttf")) {
      return in == null ? null : Font.createFont(Font.TRUETYPE_FONT, in);
    } catch (IOException | FontFormatException | RuntimeException | LinkageError e) {
      return null;
    }
  }
}
