// The native half of the sensor manager: it knows the phone's sensors. The rest is the framework's
// own code.
package dev.retap.agent.shadow.sensor;

import android.hardware.Sensor;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(className = "android.hardware.SystemSensorManager", isInAndroidSdk = false)
public class SystemSensorManagerShadow {
  @Implementation
  protected static void nativeClassInit() {}

  @Implementation
  protected static long nativeCreate(String opPackageName) {
    return 1;
  }

  @Implementation
  protected static boolean nativeGetSensorAtIndex(long manager, Sensor sensor, int index) {
    if (index >= StockSensor.ALL.size()) {
      return false;
    }
    StockSensor.ALL.get(index).describe(sensor, index);
    return true;
  }

  @Implementation(minSdk = 35)
  protected static boolean nativeGetDefaultDeviceSensorAtIndex(
      long manager, Sensor sensor, int index) {
    return nativeGetSensorAtIndex(manager, sensor, index);
  }

  /** Nothing is plugged into the phone. */
  @Implementation(minSdk = 24)
  protected static void nativeGetDynamicSensors(long manager, java.util.List<Sensor> sensors) {}

  @Implementation(minSdk = 34)
  protected static void nativeGetRuntimeSensors(
      long manager, int device, java.util.List<Sensor> sensors) {}
}
