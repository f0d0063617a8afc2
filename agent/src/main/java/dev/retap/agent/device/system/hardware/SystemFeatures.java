// The features that the phone has, as the package manager lists them.
package dev.retap.agent.device.system.hardware;

import android.content.Context;
import android.content.pm.FeatureInfo;
import java.util.List;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPackageManager;

public final class SystemFeatures {
  private static final int OPENGL_ES_3_1 = 0x30001;

  private static final List<String> HARDWARE =
      List.of(
          "audio.output",
          "bluetooth",
          "bluetooth_le",
          "camera",
          "camera.any",
          "camera.autofocus",
          "camera.flash",
          "camera.front",
          "faketouch",
          "location",
          "location.gps",
          "location.network",
          "microphone",
          "ram.normal",
          "screen.landscape",
          "screen.portrait",
          "sensor.accelerometer",
          "sensor.barometer",
          "sensor.compass",
          "sensor.gyroscope",
          "sensor.light",
          "sensor.proximity",
          "sensor.stepcounter",
          "sensor.stepdetector",
          "telephony",
          "telephony.gsm",
          "touchscreen",
          "touchscreen.multitouch",
          "touchscreen.multitouch.distinct",
          "touchscreen.multitouch.jazzhand",
          "usb.accessory",
          "usb.host",
          "wifi",
          "wifi.direct");

  private static final List<String> SOFTWARE =
      List.of(
          "app_widgets",
          "backup",
          "device_admin",
          "home_screen",
          "input_methods",
          "live_wallpaper",
          "managed_users",
          "midi",
          "print",
          "webview");

  private SystemFeatures() {}

  public static void apply(Context context) {
    ShadowPackageManager packages = Shadow.extract(context.getPackageManager());
    packages.clearSystemAvailableFeatures();
    HARDWARE.forEach(name -> add(packages, "android.hardware." + name));
    SOFTWARE.forEach(name -> add(packages, "android.software." + name));
    FeatureInfo graphics = new FeatureInfo();
    graphics.reqGlEsVersion = OPENGL_ES_3_1;
    packages.addSystemAvailableFeature(graphics);
  }

  private static void add(ShadowPackageManager packages, String name) {
    packages.setSystemFeature(name, true);
    FeatureInfo feature = new FeatureInfo();
    feature.name = name;
    packages.addSystemAvailableFeature(feature);
  }
}
