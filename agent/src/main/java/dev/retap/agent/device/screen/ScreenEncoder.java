// Writes the content of the screen in the protocol's encoding.
package dev.retap.agent.device.screen;

import dev.retap.agent.device.display.DisplayOrientation;
import dev.retap.agent.wire.Packet;
import java.util.List;

public final class ScreenEncoder {
  /**
   * An encoded screen.
   *
   * @param isInert true if nothing on the screen takes a touch
   */
  public record EncodedScreen(byte[] bytes, boolean isInert) {}

  /**
   * The content of the screen.
   *
   * @param activity the component of the activity in front, empty for none
   * @param focused the window that has the focus, null for none
   * @param bottom the lowest line that the keyboard leaves visible
   */
  public record Content(
      String activity,
      String packageName,
      List<Window> windows,
      Window focused,
      List<Overlay> overlays,
      int bottom) {}

  private ScreenEncoder() {}

  public static EncodedScreen encode(Content content) {
    Packet out = new Packet();
    ScreenLimits limits = new ScreenLimits();
    int count = content.windows.size();
    int hidden = Math.max(0, count - ScreenLimits.MAX_WINDOWS);
    out.string(content.activity)
        .u8(DisplayOrientation.isLandscape() ? 1 : 0)
        .u16(count - hidden + content.overlays.size());
    boolean isInert = true;
    for (Window window : content.windows.subList(hidden, count)) {
      writeHeader(window, content, out, limits);
      boolean takesTouch =
          WidgetTree.write(window, content.bottom, out, limits) && window.isTouchable();
      // No touch gets past a modal window to those below it.
      isInert = !takesTouch && (isInert || window.isModal() && window.isTouchable());
    }
    content.overlays.forEach(overlay -> overlay.write(out, limits));
    return new EncodedScreen(out.body(), isInert);
  }

  private static void writeHeader(Window window, Content content, Packet out, ScreenLimits limits) {
    int[] at = window.location();
    out.u8(window.kind().ordinal())
        .string(
            window.view() instanceof OutsideWindow outside
                ? outside.packageName()
                : content.packageName)
        .string(limits.text(title(window)))
        .i32(at[0])
        .i32(at[1])
        .i32(at[0] + window.view().getWidth())
        .i32(at[1] + window.view().getHeight())
        .u8(window == content.focused ? 1 : 0);
  }

  /** Returns the title without a popup's identity hash, which differs from run to run. */
  private static String title(Window window) {
    return String.valueOf(window.params().getTitle()).replaceFirst(":[0-9a-f]+$", "");
  }
}
