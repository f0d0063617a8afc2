// A window without a view of the app's: the keyboard or a toast, which other processes draw.
package dev.retap.agent.device.screen;

import android.graphics.Rect;
import dev.retap.agent.shadow.ToastShadow;
import dev.retap.agent.wire.Packet;

public record Overlay(WindowKind kind, String owner, String title, Rect bounds, Widget root) {
  private static final int ENABLED = 1 << 5;

  public static Overlay keyboard(Rect bounds) {
    return new Overlay(
        WindowKind.KEYBOARD,
        "com.android.inputmethod.latin",
        "InputMethod",
        bounds,
        new Widget(
            "android.widget.FrameLayout", "android:id/inputArea", null, null, null, ENABLED));
  }

  /** Returns the toast on the screen, or null. Its size is a guess, because it takes no touch. */
  public static Overlay toast(String owner) {
    String text = ToastShadow.current();
    if (text == null) {
      return null;
    }
    Rect display = SystemBars.display();
    int unit = Math.round(8 * SystemBars.density());
    int width = Math.min(display.width() - 4 * unit, (text.length() + 6) * unit);
    int left = (display.width() - width) / 2;
    int bottom = display.bottom - 8 * unit;
    return new Overlay(
        WindowKind.TOAST,
        owner,
        "Toast",
        new Rect(left, bottom - 6 * unit, left + width, bottom),
        new Widget("android.widget.TextView", "android:id/message", text, null, null, ENABLED));
  }

  void write(Packet out, ScreenLimits limits) {
    out.u8(kind.ordinal())
        .string(owner)
        .string(title)
        .i32(bounds.left)
        .i32(bounds.top)
        .i32(bounds.right)
        .i32(bounds.bottom)
        .u8(0);
    root.write(out, bounds, true, limits);
    out.u16(0);
  }
}
