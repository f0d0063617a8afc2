// The phone's sensors: there, still, and soon silent.
package dev.retap.agent.shadow.sensor;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.robolectric.Shadows.shadowOf;

import android.content.Context;
import android.hardware.Sensor;
import android.hardware.SensorEvent;
import android.hardware.SensorEventListener;
import android.os.Handler;
import android.os.Looper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@RunWith(RobolectricTestRunner.class)
@Config(
    sdk = {23, 28, 34},
    shadows = {SystemSensorManagerShadow.class, SensorQueueShadow.class})
public class SensorQueueShadowTest implements SensorEventListener {
  private final Object manager =
      RuntimeEnvironment.getApplication().getSystemService(Context.SENSOR_SERVICE);
  private final List<float[]> readings = new ArrayList<>();

  @Before
  public void forgetEarlierQueues() {
    SensorQueueShadow.reset();
  }

  @After
  public void stopListening() {
    call(
        "unregisterListenerImpl",
        ClassParameter.from(SensorEventListener.class, this),
        ClassParameter.from(Sensor.class, null));
  }

  @Test
  public void aStillPhoneMeasuresGravityAFewTimes() {
    listen(Sensor.TYPE_ACCELEROMETER);
    shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(10));
    assertEquals(5, readings.size());
    assertArrayEquals(new float[] {0, 0, 9.80665f}, readings.get(4), 0);
  }

  @Test
  public void aSensorOfChangesReportsOnce() {
    listen(Sensor.TYPE_LIGHT);
    shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(10));
    assertEquals(1, readings.size());
  }

  @Test
  public void nobodyWalks() {
    listen(Sensor.TYPE_STEP_DETECTOR);
    shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(10));
    assertEquals(0, readings.size());
  }

  @Test
  public void whoStopsListeningHearsNothing() {
    listen(Sensor.TYPE_GYROSCOPE);
    stopListening();
    shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(10));
    assertEquals(0, readings.size());
  }

  private void listen(int type) {
    for (Object sensor : (List<?>) call("getFullSensorList")) {
      if (((Sensor) sensor).getType() == type) {
        call(
            "registerListenerImpl",
            ClassParameter.from(SensorEventListener.class, this),
            ClassParameter.from(Sensor.class, sensor),
            ClassParameter.from(int.class, 200_000),
            ClassParameter.from(Handler.class, null),
            ClassParameter.from(int.class, 0),
            ClassParameter.from(int.class, 0));
      }
    }
  }

  private Object call(String method, ClassParameter<?>... arguments) {
    return ReflectionHelpers.callInstanceMethod(manager, method, arguments);
  }

  @Override
  public void onSensorChanged(SensorEvent event) {
    readings.add(event.values.clone());
  }

  @Override
  public void onAccuracyChanged(Sensor sensor, int accuracy) {}
}
