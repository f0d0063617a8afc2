// The sensors of an ordinary phone, and what each of them reads while the phone lies still on a
// table, face up, its top towards the north.
package dev.retap.agent.shadow.sensor;

import android.hardware.Sensor;
import java.util.List;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.util.ReflectionHelpers;

/**
 * One sensor.
 *
 * @param mode how it reports, as Android numbers the modes
 * @param minDelayMicros the time between two readings at the highest rate; 0 if it only reports
 *     changes
 * @param values its reading; empty if a phone that lies still gives it nothing to report
 */
record StockSensor(
    int type,
    String stringType,
    String name,
    int mode,
    float maxRange,
    float resolution,
    float power,
    int minDelayMicros,
    float... values) {
  private static final int CONTINUOUS = 0;
  private static final int ON_CHANGE = 1;
  private static final int ONE_SHOT = 2;
  private static final int SPECIAL = 3;

  private static final int WAKE_UP = 1;
  private static final int MODE_SHIFT = 1;
  private static final float G = 9.80665f;
  private static final int FAST = 5_000;

  /** In the order of a phone's list; the place in the list is the sensor's handle. */
  static final List<StockSensor> ALL =
      List.of(
          still(1, "accelerometer", "Accelerometer", 4 * G, 0.0024f, 0.13f, FAST, 0, 0, G),
          still(2, "magnetic_field", "Magnetometer", 4_900, 0.15f, 0.1f, 20_000, 0, 22.5f, -42),
          still(3, "orientation", "Orientation", 360, 0.1f, 5.2f, FAST, 0, 0, 0),
          still(4, "gyroscope", "Gyroscope", 17.5f, 0.0006f, 2.9f, FAST, 0, 0, 0),
          changing(5, "light", "Light sensor", ON_CHANGE, 43_000, 1, 0.11f, 150),
          still(6, "pressure", "Barometer", 1_100, 0.01f, 0.01f, 100_000, 1_013.25f),
          changing(8, "proximity", "Proximity sensor", ON_CHANGE, 5, 5, 0.11f, 5),
          still(9, "gravity", "Gravity", 2 * G, 0.0024f, 3.1f, FAST, 0, 0, G),
          still(
              10, "linear_acceleration", "Linear acceleration", 4 * G, 0.01f, 3.1f, FAST, 0, 0, 0),
          still(11, "rotation_vector", "Rotation vector", 1, 1e-7f, 3.2f, FAST, 0, 0, 0, 1, 0.1f),
          still(
              14,
              "magnetic_field_uncalibrated",
              "Uncalibrated magnetometer",
              4_900,
              0.15f,
              0.1f,
              20_000,
              0,
              22.5f,
              -42,
              0,
              0,
              0),
          still(
              15, "game_rotation_vector", "Game rotation vector", 1, 1e-7f, 3.1f, FAST, 0, 0, 0, 1),
          still(
              16,
              "gyroscope_uncalibrated",
              "Uncalibrated gyroscope",
              17.5f,
              0.0006f,
              2.9f,
              FAST,
              0,
              0,
              0,
              0,
              0,
              0),
          changing(17, "significant_motion", "Significant motion", ONE_SHOT, 1, 1, 0.13f),
          changing(18, "step_detector", "Step detector", SPECIAL, 1, 1, 0.13f),
          changing(19, "step_counter", "Step counter", ON_CHANGE, 1e9f, 1, 0.13f, 0),
          still(
              20,
              "geomagnetic_rotation_vector",
              "Geomagnetic rotation vector",
              1,
              1e-7f,
              0.3f,
              20_000,
              0,
              0,
              0,
              1,
              0.1f));

  private static StockSensor still(
      int type,
      String id,
      String name,
      float range,
      float resolution,
      float power,
      int minDelay,
      float... values) {
    return new StockSensor(
        type, "android.sensor." + id, name, CONTINUOUS, range, resolution, power, minDelay, values);
  }

  private static StockSensor changing(
      int type,
      String id,
      String name,
      int mode,
      float range,
      float resolution,
      float power,
      float... values) {
    int minDelay = mode == ONE_SHOT ? -1 : 0;
    return new StockSensor(
        type, "android.sensor." + id, name, mode, range, resolution, power, minDelay, values);
  }

  boolean isContinuous() {
    return mode == CONTINUOUS;
  }

  /** Returns what this sensor is to an app; the handle must be its place in {@link #ALL}. */
  void describe(Sensor sensor, int handle) {
    set(sensor, "mName", name);
    set(sensor, "mVendor", "AOSP");
    set(sensor, "mVersion", 1);
    set(sensor, "mHandle", handle);
    set(sensor, "mType", type);
    set(sensor, "mMaxRange", maxRange);
    set(sensor, "mResolution", resolution);
    set(sensor, "mPower", power);
    set(sensor, "mMinDelay", minDelayMicros);
    set(sensor, "mMaxDelay", isContinuous() ? 200_000 : 0);
    set(sensor, "mStringType", stringType);
    boolean wakes = type == Sensor.TYPE_PROXIMITY || type == Sensor.TYPE_SIGNIFICANT_MOTION;
    set(sensor, "mFlags", mode << MODE_SHIFT | (wakes ? WAKE_UP : 0));
    boolean counts = type == Sensor.TYPE_STEP_COUNTER || type == Sensor.TYPE_STEP_DETECTOR;
    if (counts && RuntimeEnvironment.getApiLevel() >= 29) {
      set(sensor, "mRequiredPermission", "android.permission.ACTIVITY_RECOGNITION");
    }
  }

  private static void set(Sensor sensor, String field, Object value) {
    ReflectionHelpers.setField(sensor, field, value);
  }
}
