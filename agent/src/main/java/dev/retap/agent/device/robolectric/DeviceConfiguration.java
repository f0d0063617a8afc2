// The configuration of Robolectric's device: its first value and changes of it.
package dev.retap.agent.device.robolectric;

import android.content.res.Configuration;
import android.content.res.Resources;
import android.hardware.display.DisplayManagerGlobal;
import android.util.DisplayMetrics;
import android.view.Display;
import dev.retap.agent.device.reflect.FrameworkCalls;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.Bootstrap;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowDisplayManager;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

public final class DeviceConfiguration {
  private DeviceConfiguration() {}

  /** Returns the configuration with which the device starts. */
  public static Configuration initial() {
    return Bootstrap.getConfiguration();
  }

  public static void setUpDisplay() {
    Bootstrap.setUpDisplay();
  }

  /**
   * Changes the configuration by a resource qualifier. RuntimeEnvironment.setQualifiers does the
   * same, but waits for the main looper to be idle, which some apps never let it be.
   */
  public static void change(String qualifier) {
    String change = "+" + qualifier;
    Object display =
        ReflectionHelpers.callStaticMethod(
            ShadowDisplayManager.class,
            "createDisplayInfo",
            ClassParameter.from(String.class, change),
            ClassParameter.from(Integer.class, Display.DEFAULT_DISPLAY));
    FrameworkCalls.call(
        Shadow.extract(DisplayManagerGlobal.getInstance()),
        "changeDisplay",
        Display.DEFAULT_DISPLAY,
        display);
    Configuration configuration = new Configuration(Resources.getSystem().getConfiguration());
    DisplayMetrics metrics = new DisplayMetrics();
    metrics.setTo(Resources.getSystem().getDisplayMetrics());
    Bootstrap.applyQualifiers(change, RuntimeEnvironment.getApiLevel(), configuration, metrics);
    FrameworkCalls.callStatic(
        RuntimeEnvironment.class, "updateConfiguration", configuration, metrics);
  }
}
