// The screen: its size as resource qualifiers, and its content in the protocol's encoding.
package dev.retap.agent.device;

import android.content.res.Configuration;
import android.content.res.Resources;
import android.util.DisplayMetrics;
import dev.retap.agent.wire.Install;
import dev.retap.agent.wire.Packet;
import java.util.List;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowDisplay;
import org.robolectric.shadows.ShadowViewConfiguration;

final class Screen {
  /** @param bare nothing on it takes a touch */
  record Content(byte[] encoded, boolean bare) {}

  private Screen() {}

  static String qualifiers(Install install) {
    int width = install.width() * 160 / install.dpi();
    int height = install.height() * 160 / install.dpi();
    String orientation = width > height ? "land" : "port";
    return "w%ddp-h%ddp-%s-notnight-%ddpi-keyshidden-nonav"
        .formatted(width, height, orientation, install.dpi());
  }

  /** Puts the bars in place and undoes the rounding of the size to whole dp. */
  @SuppressWarnings("deprecation")
  static void setUp(Install install, boolean landscape) {
    // On a phone fixed before any app starts; else the first launch of this process would switch it.
    DisplayMetrics.DENSITY_DEVICE = install.dpi();
    ByType.callStatic("android.graphics.Bitmap", "setDefaultDensity", install.dpi());
    ShadowViewConfiguration.setHasPermanentMenuKey(false);
    ShadowDisplay display = Shadow.extract(ShadowDisplay.getDefaultDisplay());
    boolean swapped = landscape != install.width() > install.height();
    int width = swapped ? install.height() : install.width();
    int height = swapped ? install.width() : install.height();
    display.setRealWidth(width);
    display.setRealHeight(height);
    display.setWidth(width);
    display.setHeight(height);
    Class<?> bars = ByType.type("org.robolectric.shadows.SystemUi");
    ByType.call(
        ByType.callStatic(bars, "systemUiForDefaultDisplay"),
        "setBehavior",
        ByType.getStatic(bars, "STANDARD_STATUS_BAR"),
        ByType.getStatic(
            bars, install.navigationBar() ? "THREE_BUTTON_NAVIGATION" : "NO_NAVIGATION_BAR"));
  }

  static Content encode(
      String activity,
      String packageName,
      List<WindowList.Window> windows,
      Focus focus) {
    Packet out = new Packet();
    WindowList.Window focused = focus.of(windows);
    List<Overlay> overlays = focus.overlays(packageName);
    int lowest = focus.keyboard.isUp() ? focus.keyboard.bounds().top : Bars.display().bottom;
    boolean landscape =
        Resources.getSystem().getConfiguration().orientation
            == Configuration.ORIENTATION_LANDSCAPE;
    out.string(activity).u8(landscape ? 1 : 0).u16(windows.size() + overlays.size());
    boolean bare = true;
    for (WindowList.Window window : windows) {
      int[] at = window.location();
      out.u8(window.kind().ordinal())
          .string(
              window.view() instanceof OutsideView outside ? outside.packageName : packageName)
          .string(title(window))
          .i32(at[0])
          .i32(at[1])
          .i32(at[0] + window.view().getWidth())
          .i32(at[1] + window.view().getHeight())
          .u8(window == focused ? 1 : 0);
      boolean takesTouch = WidgetTree.write(window, lowest, out) && window.touchable();
      // No touch gets past a modal window to those below it.
      bare = !takesTouch && (bare || window.modal() && window.touchable());
    }
    overlays.forEach(overlay -> overlay.write(out));
    return new Content(out.body(), bare);
  }

  /** Popups are titled with an identity hash, which says nothing and differs from run to run. */
  private static String title(WindowList.Window window) {
    return String.valueOf(window.params().getTitle()).replaceFirst(":[0-9a-f]+$", "");
  }
}
