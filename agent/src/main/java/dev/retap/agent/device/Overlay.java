// Windows that belong to no view of the app's: the keyboard and toasts, which other processes draw.
package dev.retap.agent.device;

import android.graphics.Rect;
import dev.retap.agent.shadow.ShownToast;
import dev.retap.agent.wire.Packet;

record Overlay(WindowList.Kind kind, String owner, String title, Rect bounds, Widget root) {
  private static final int ENABLED = 1 << 5;

  static Overlay keyboard(Rect bounds) {
    return new Overlay(
        WindowList.Kind.KEYBOARD, "com.android.inputmethod.latin", "InputMethod", bounds,
        new Widget("android.widget.FrameLayout", "android:id/inputArea", null, null, null, ENABLED));
  }

  /** The toast on the screen, null for none. Its size is a guess: nobody can touch it. */
  static Overlay toast(String owner) {
    String text = ShownToast.current();
    if (text == null) {
      return null;
    }
    Rect display = Bars.display();
    int unit = Math.round(8 * Bars.density());
    int width = Math.min(display.width() - 4 * unit, (text.length() + 6) * unit);
    int left = (display.width() - width) / 2;
    int bottom = display.bottom - 8 * unit;
    return new Overlay(
        WindowList.Kind.TOAST, owner, "Toast",
        new Rect(left, bottom - 6 * unit, left + width, bottom),
        new Widget("android.widget.TextView", "android:id/message", text, null, null, ENABLED));
  }

  void write(Packet out) {
    out.u8(kind.ordinal())
        .string(owner)
        .string(title)
        .i32(bounds.left)
        .i32(bounds.top)
        .i32(bounds.right)
        .i32(bounds.bottom)
        .u8(0);
    root.write(out, bounds, true);
    out.u16(0);
  }
}
