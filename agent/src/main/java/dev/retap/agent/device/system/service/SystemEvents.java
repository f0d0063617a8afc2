// Changes of the phone around the app: configuration, battery, network, screen, memory.
package dev.retap.agent.device.system.service;

import android.content.Context;
import android.content.Intent;
import android.os.BatteryManager;
import dev.retap.agent.device.display.DisplayOrientation;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.system.activity.ActivityTaskServer;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import java.util.List;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowBatteryManager;

public final class SystemEvents {
  private final DisplayOrientation orientation;
  private final ActivityTaskServer tasks;
  private final Broadcasts broadcasts;
  private final Connectivity connectivity;
  private final Telephone telephone;
  private final Notifications notifications;
  private final Runnable batteryListener;
  private final SystemBroadcasts systemBroadcasts;
  private final Object applicationThread;
  private final ShadowBatteryManager batteryManager =
      Shadow.extract(RuntimeEnvironment.systemContext.getSystemService(Context.BATTERY_SERVICE));

  public SystemEvents(
      DisplayOrientation orientation,
      DeclaredComponents components,
      ActivityTaskServer tasks,
      Broadcasts broadcasts,
      Connectivity connectivity,
      Telephone telephone,
      Notifications notifications,
      Runnable batteryListener,
      Object applicationThread) {
    this.connectivity = connectivity;
    this.telephone = telephone;
    this.notifications = notifications;
    this.batteryListener = batteryListener;
    this.orientation = orientation;
    this.tasks = tasks;
    this.broadcasts = broadcasts;
    this.applicationThread = applicationThread;
    systemBroadcasts = new SystemBroadcasts(components, broadcasts, telephone);
  }

  /** Sends a broadcast that comes from outside the app. */
  public void broadcast(Intent intent) {
    tasks.visibility().called();
    systemBroadcasts.send(intent);
  }

  /** Holds the phone another way. */
  public void rotate(boolean landscape) {
    orientation.hold(landscape);
    tasks.orientationChanged();
  }

  /** Performs the system event of this name. */
  public void perform(String what, List<String> arguments) {
    tasks.visibility().called();
    String first = arguments.isEmpty() ? "" : arguments.get(0);
    String second = arguments.size() < 2 ? "" : arguments.get(1);
    switch (what) {
      case "locale" -> {
        changeConfiguration(first.replace("-", "-r"));
        broadcasts.send(new Intent(Intent.ACTION_LOCALE_CHANGED), false);
      }
      case "night" -> changeConfiguration(first.equals("on") ? "night" : "notnight");
      case "battery" -> battery(Integer.parseInt(first), arguments.contains("charging"));
      case "connectivity" -> connectivity.change(first);
      case "call" -> telephone.call(first, second);
      case "sms" -> telephone.sms(first, second);
      case "notification" -> notification(first, second);
      case "screen" ->
          broadcasts.send(
              new Intent(first.equals("on") ? Intent.ACTION_SCREEN_ON : Intent.ACTION_SCREEN_OFF),
              false);
      case "low_memory" -> {
        FrameworkCalls.call(applicationThread, "scheduleLowMemory");
        FrameworkCalls.call(applicationThread, "scheduleTrimMemory", 80);
      }
      default -> throw new IllegalArgumentException("system event not known: " + what);
    }
  }

  private void notification(String what, String number) {
    int n = number.isEmpty() ? 0 : Integer.parseInt(number);
    switch (what) {
      case "open" -> notifications.open(n);
      case "dismiss" -> notifications.dismiss(n);
      default -> throw new IllegalArgumentException("notification is open or dismiss: " + what);
    }
  }

  private void changeConfiguration(String qualifier) {
    orientation.changeConfiguration(qualifier);
    tasks.configurationChanged();
  }

  private void battery(int level, boolean charging) {
    Intent battery =
        new Intent(Intent.ACTION_BATTERY_CHANGED)
            .putExtra(BatteryManager.EXTRA_LEVEL, level)
            .putExtra(BatteryManager.EXTRA_SCALE, 100)
            .putExtra(BatteryManager.EXTRA_PRESENT, true)
            .putExtra(
                BatteryManager.EXTRA_PLUGGED, charging ? BatteryManager.BATTERY_PLUGGED_AC : 0)
            .putExtra(
                BatteryManager.EXTRA_STATUS,
                charging
                    ? BatteryManager.BATTERY_STATUS_CHARGING
                    : BatteryManager.BATTERY_STATUS_DISCHARGING);
    broadcasts.send(battery, true);
    batteryManager.setIntProperty(BatteryManager.BATTERY_PROPERTY_CAPACITY, level);
    batteryManager.setIsCharging(charging);
    batteryListener.run();
    if (level <= 15 && !charging) {
      broadcasts.send(new Intent(Intent.ACTION_BATTERY_LOW), false);
    }
  }
}
