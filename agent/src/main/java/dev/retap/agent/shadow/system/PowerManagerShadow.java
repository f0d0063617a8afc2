// Keeps the phone's sleep from apps: only the system may turn it on and off.
package dev.retap.agent.shadow.system;

import android.os.PowerManager;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowPowerManager;

@Implements(PowerManager.class)
public class PowerManagerShadow extends ShadowPowerManager {
  @Implementation
  protected void goToSleep(long time, int reason, int flags) {
    throw refused("DEVICE_POWER");
  }

  @Implementation
  protected void wakeUp(long time) {
    throw refused("DEVICE_POWER");
  }

  @Implementation
  protected void nap(long time) {
    throw refused("DEVICE_POWER");
  }

  @Override
  @Implementation
  protected void reboot(String reason) {
    throw refused("REBOOT");
  }

  private static SecurityException refused(String permission) {
    return new SecurityException(
        "Neither user nor current process has android.permission." + permission + ".");
  }
}
