// The size of the display: as resource qualifiers, and set in Robolectric's display.
package dev.retap.agent.device.display;

import android.util.DisplayMetrics;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.wire.Install;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowDisplay;
import org.robolectric.shadows.ShadowViewConfiguration;

public final class DisplaySetup {
  private DisplaySetup() {}

  /** Returns the resource qualifiers that describe the display. */
  public static String qualifiers(Install install) {
    int width = install.width() * 160 / install.dpi();
    int height = install.height() * 160 / install.dpi();
    String orientation = width > height ? "land" : "port";
    // Formatting would look up the locale's digits at every start.
    String size = "w" + width + "dp-h" + height + "dp-";
    return size + orientation + "-notnight-" + install.dpi() + "dpi-keyshidden-nonav";
  }

  /** Puts the bars in place and undoes the rounding of the size to whole dp. */
  @SuppressWarnings("deprecation")
  public static void apply(Install install, boolean landscape) {
    // A phone fixes the density before any app starts. Here the first launch would switch it.
    DisplayMetrics.DENSITY_DEVICE = install.dpi();
    FrameworkCalls.callStatic("android.graphics.Bitmap", "setDefaultDensity", install.dpi());
    ShadowViewConfiguration.setHasPermanentMenuKey(false);
    ShadowDisplay display = Shadow.extract(ShadowDisplay.getDefaultDisplay());
    boolean swapped = landscape != install.width() > install.height();
    int width = swapped ? install.height() : install.width();
    int height = swapped ? install.width() : install.height();
    display.setRealWidth(width);
    display.setRealHeight(height);
    display.setWidth(width);
    display.setHeight(height);
    Class<?> bars = FrameworkCalls.type("org.robolectric.shadows.SystemUi");
    FrameworkCalls.call(
        FrameworkCalls.callStatic(bars, "systemUiForDefaultDisplay"),
        "setBehavior",
        FrameworkFields.getStatic(bars, "STANDARD_STATUS_BAR"),
        FrameworkFields.getStatic(
            bars, install.navigationBar() ? "THREE_BUTTON_NAVIGATION" : "NO_NAVIGATION_BAR"));
  }
}
