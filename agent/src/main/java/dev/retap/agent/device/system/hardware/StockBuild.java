// The phone's make: the build properties and the fields of Build, which agree with each other.
package dev.retap.agent.device.system.hardware;

import android.os.Build;
import android.os.SystemProperties;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.shadow.network.TelephonyManagerShadow;
import java.util.LinkedHashMap;
import java.util.Map;
import org.robolectric.shadows.ShadowSystemProperties;

public final class StockBuild {
  private static final String BRAND = "google";
  private static final String DEVICE = "blueline";
  private static final String MAKER = "Google";
  private static final String MODEL = "Pixel 3";
  private static final String TYPE = "user";
  private static final String TAGS = "release-keys";
  private static final String HOST = "abfarm";
  private static final String USER = "android-build";
  private static final String[] ABIS_64 = {"arm64-v8a"};
  private static final String[] ABIS_32 = {"armeabi-v7a", "armeabi"};
  private static final String[] ABIS = {"arm64-v8a", "armeabi-v7a", "armeabi"};

  /** The first level on which an app does not get the serial number from a field. */
  private static final int FIRST_WITHOUT_SERIAL = 28;

  private StockBuild() {}

  public static void apply(int apiLevel) {
    properties().forEach(ShadowSystemProperties::override);
    set("BRAND", BRAND);
    set("DEVICE", DEVICE);
    set("PRODUCT", DEVICE);
    set("BOARD", DEVICE);
    set("HARDWARE", DEVICE);
    set("MANUFACTURER", MAKER);
    set("MODEL", MODEL);
    set("TYPE", TYPE);
    set("TAGS", TAGS);
    set("HOST", HOST);
    set("USER", USER);
    set("BOOTLOADER", "b1c1-0.1-5004167");
    set("FINGERPRINT", fingerprint());
    set("DISPLAY", Build.ID);
    set("CPU_ABI", ABIS[0]);
    set("CPU_ABI2", "");
    set("SUPPORTED_ABIS", ABIS.clone());
    set("SUPPORTED_64_BIT_ABIS", ABIS_64.clone());
    set("SUPPORTED_32_BIT_ABIS", ABIS_32.clone());
    set("SERIAL", apiLevel < FIRST_WITHOUT_SERIAL ? "89KX0BYQ4" : Build.UNKNOWN);
  }

  /** Returns the properties that name the phone, in the order of its build.prop. */
  static Map<String, String> properties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("ro.build.id", Build.ID);
    properties.put("ro.build.display.id", Build.ID);
    properties.put("ro.build.version.incremental", Build.VERSION.INCREMENTAL);
    properties.put("ro.build.version.sdk", Integer.toString(Build.VERSION.SDK_INT));
    properties.put("ro.build.version.codename", "REL");
    properties.put("ro.build.version.release", Build.VERSION.RELEASE);
    properties.put("ro.build.version.security_patch", Build.VERSION.SECURITY_PATCH);
    properties.put("ro.build.type", TYPE);
    properties.put("ro.build.user", USER);
    properties.put("ro.build.host", HOST);
    properties.put("ro.build.tags", TAGS);
    properties.put("ro.build.flavor", DEVICE + "-" + TYPE);
    for (String part : new String[] {"", "system.", "vendor.", "odm.", "product."}) {
      properties.put("ro.product." + part + "model", MODEL);
      properties.put("ro.product." + part + "brand", BRAND);
      properties.put("ro.product." + part + "name", DEVICE);
      properties.put("ro.product." + part + "device", DEVICE);
      properties.put("ro.product." + part + "manufacturer", MAKER);
    }
    properties.put("ro.product.board", DEVICE);
    properties.put("ro.product.locale", "en-US");
    properties.put("ro.product.cpu.abi", ABIS[0]);
    properties.put("ro.product.cpu.abilist", String.join(",", ABIS));
    properties.put("ro.product.cpu.abilist32", String.join(",", ABIS_32));
    properties.put("ro.product.cpu.abilist64", String.join(",", ABIS_64));
    properties.put("ro.build.product", DEVICE);
    properties.put("ro.build.fingerprint", fingerprint());
    properties.put("ro.build.characteristics", "nosdcard");
    properties.put("ro.hardware", DEVICE);
    properties.put("ro.board.platform", "sdm845");
    properties.put("ro.sf.lcd_density", SystemProperties.get("ro.sf.lcd_density", "440"));
    properties.put("dalvik.vm.heapgrowthlimit", "256m");
    properties.put("dalvik.vm.heapsize", "512m");
    properties.put("ro.secure", "1");
    properties.put("ro.debuggable", "0");
    properties.put("ro.adb.secure", "1");
    properties.put("gsm.operator.alpha", TelephonyManagerShadow.OPERATOR_NAME);
    properties.put("gsm.operator.numeric", TelephonyManagerShadow.OPERATOR);
    properties.put("gsm.operator.iso-country", TelephonyManagerShadow.COUNTRY);
    properties.put("gsm.sim.operator.alpha", TelephonyManagerShadow.OPERATOR_NAME);
    properties.put("gsm.sim.operator.numeric", TelephonyManagerShadow.OPERATOR);
    properties.put("gsm.sim.operator.iso-country", TelephonyManagerShadow.COUNTRY);
    properties.put("gsm.sim.state", "READY");
    return properties;
  }

  private static String fingerprint() {
    return String.format(
        "%s/%s/%s:%s/%s/%s:%s/%s",
        BRAND,
        DEVICE,
        DEVICE,
        Build.VERSION.RELEASE,
        Build.ID,
        Build.VERSION.INCREMENTAL,
        TYPE,
        TAGS);
  }

  private static void set(String field, Object value) {
    FrameworkFields.setStatic(Build.class, field, value);
  }
}
