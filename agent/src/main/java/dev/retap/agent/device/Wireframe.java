// A picture below API 26, where the host has no graphics: outlines, plain colours and the text,
// line by line where the framework laid it out. Says on its face what it is.
package dev.retap.agent.device;

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
import dev.retap.agent.device.WindowList.Window;
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

  /** The least difference in brightness at which text can still be read. */
  private static final int CONTRAST = 60;

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
    Rect display = Bars.display();
    BufferedImage image =
        new BufferedImage(display.width(), display.height(), BufferedImage.TYPE_INT_RGB);
    Graphics2D pen = image.createGraphics();
    Wireframe frame = new Wireframe(image, pen);
    windows.forEach(window -> frame.window(window, display));
    overlays.forEach(frame::overlay);
    float size = 10 * Bars.density();
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

  private void window(Window window, Rect display) {
    if ((window.params().flags & LayoutParams.FLAG_DIM_BEHIND) != 0) {
      pen.setColor(new Color(0, 0, 0, Math.min(1, window.params().dimAmount)));
      pen.fillRect(0, 0, display.width(), display.height());
    }
    int[] at = window.location();
    pen.setColor(PAPER);
    pen.fillRect(at[0], at[1], window.view().getWidth(), window.view().getHeight());
    view(window.view(), at[0], at[1]);
  }

  private void overlay(Overlay overlay) {
    Rect bounds = overlay.bounds();
    pen.setColor(Color.DARK_GRAY);
    pen.fillRect(bounds.left, bounds.top, bounds.width(), bounds.height());
    if (overlay.root().text() != null) {
      float size = 14 * Bars.density();
      write(overlay.root().text().toString(), bounds.left + size, bounds.centerY() + size / 3, size,
          Color.WHITE);
    }
  }

  private void view(View view, int windowLeft, int windowTop) {
    Rect seen = new Rect();
    if (view.getVisibility() != View.VISIBLE || !view.getGlobalVisibleRect(seen)) {
      return;
    }
    seen.offset(windowLeft, windowTop);
    background(view, seen);
    if (view instanceof TextView text) {
      text(text, seen);
    } else if (view instanceof ImageView) {
      pen.setColor(LINE);
      pen.drawRect(seen.left, seen.top, seen.width() - 1, seen.height() - 1);
      pen.drawLine(seen.left, seen.top, seen.right, seen.bottom);
      pen.drawLine(seen.left, seen.bottom, seen.right, seen.top);
    } else if (view instanceof ViewGroup group) {
      for (int i = 0; i < group.getChildCount(); i++) {
        view(group.getChildAt(i), windowLeft, windowTop);
      }
    }
  }

  private void background(View view, Rect seen) {
    if (view.getBackground() instanceof ColorDrawable colour) {
      pen.setColor(new Color(colour.getColor(), true));
      pen.fillRect(seen.left, seen.top, seen.width(), seen.height());
    } else if (view instanceof CompoundButton box) {
      int side = Math.round(18 * Bars.density());
      int top = seen.centerY() - side / 2;
      pen.setColor(INK);
      pen.drawRect(seen.left + side / 3, top, side, side);
      if (box.isChecked()) {
        pen.fillRect(seen.left + side / 3 + 4, top + 4, side - 7, side - 7);
      }
    } else if (view instanceof Button && view.getBackground() != null) {
      int gap = Math.round(4 * Bars.density());
      pen.setColor(FACE);
      pen.fillRoundRect(
          seen.left + gap, seen.top + gap, seen.width() - 2 * gap, seen.height() - 2 * gap, gap, gap);
    } else if (view instanceof EditText) {
      int base = seen.bottom - Math.round(8 * Bars.density());
      pen.setColor(view.isFocused() ? INK : LINE);
      pen.drawLine(seen.left, base, seen.right, base);
    }
  }

  private void text(TextView view, Rect seen) {
    Layout layout = view.getLayout();
    boolean hint = view.length() == 0;
    if (layout == null || hint && view.getHint() == null) {
      return;
    }
    int[] at = new int[2];
    view.getLocationOnScreen(at);
    java.awt.Shape clip = pen.getClip();
    pen.clipRect(seen.left, seen.top, seen.width(), seen.height());
    float left = at[0] + view.getTotalPaddingLeft() - view.getScrollX();
    float top = at[1] + view.getTotalPaddingTop() - view.getScrollY();
    Color colour = hint ? LINE : new Color(view.getCurrentTextColor(), true);
    String shown = hint ? view.getHint().toString() : Shown.text(view).toString();
    if (hint) {
      write(shown, left, top - view.getPaint().ascent(), view.getTextSize(), colour);
    } else {
      for (int i = 0; i < layout.getLineCount(); i++) {
        int end = Math.min(shown.length(), layout.getLineEnd(i));
        String line = shown.substring(Math.min(end, layout.getLineStart(i)), end).stripTrailing();
        write(
            line, left + layout.getLineLeft(i), top + layout.getLineBaseline(i),
            view.getTextSize(), colour);
      }
    }
    pen.setClip(clip);
  }

  /** Without a font, on a host that has none, the outlines alone must do. */
  private void write(String text, float x, float baseline, float size, Color colour) {
    if (font != null && !text.isEmpty()) {
      pen.setColor(readable(colour, (int) x, (int) baseline));
      pen.setFont(font.deriveFont(size));
      pen.drawString(text, x, baseline);
    }
  }

  /** A background that is not drawn here may leave light text on light paper. */
  private Color readable(Color colour, int x, int y) {
    if (x < 0 || y < 0 || x >= image.getWidth() || y >= image.getHeight()) {
      return colour;
    }
    int paper = brightness(new Color(image.getRGB(x, y)));
    if (Math.abs(brightness(colour) - paper) >= CONTRAST) {
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
