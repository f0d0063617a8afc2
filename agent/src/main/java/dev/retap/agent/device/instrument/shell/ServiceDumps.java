// `dumpsys`: the parts that tests read, in the words they look for.
package dev.retap.agent.device.instrument.shell;

import android.content.ComponentName;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.PackageInfo;
import android.graphics.Point;
import android.os.BatteryManager;
import android.os.Process;
import android.view.Display;
import dev.retap.agent.device.clock.MainThread;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.RuntimeEnvironment;

final class ServiceDumps {
  private final PhoneControl phone;

  ServiceDumps(PhoneControl phone) {
    this.phone = phone;
  }

  ShellAnswer run(List<String> words) {
    String what = words.size() > 1 ? words.get(1) : "";
    String text =
        switch (words.isEmpty() ? "" : words.get(0)) {
          case "activity" -> what.equals("top") ? top() : activities();
          case "window" -> window();
          case "package" -> packageInfo(what);
          case "battery" -> battery(words.subList(1, words.size()));
          case "power" ->
              "POWER MANAGER (dumpsys power)\n  mWakefulness=Awake\nDisplay Power: state=ON\n";
          case "" -> "";
          default -> "Can't find service: " + words.get(0) + "\n";
        };
    return ShellAnswer.of(text);
  }

  private String record() {
    ComponentName front = phone.front().get();
    String name = front == null ? "com.android.launcher3/.Launcher" : front.flattenToShortString();
    return String.format("ActivityRecord{1f%05x u0 %s t%d}", pid(), name, pid());
  }

  private static int pid() {
    return Process.myPid();
  }

  private String activities() {
    String record = record();
    return "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n"
        + "Display #0 (activities from top to bottom):\n"
        + ("    topResumedActivity=" + record + "\n")
        + ("    * Hist #0: " + record + "\n")
        + ("  mResumedActivity: " + record + "\n")
        + ("  mFocusedApp=" + record + "\n")
        + ("  ResumedActivity: " + record + "\n");
  }

  private String top() {
    ComponentName front = phone.front().get();
    if (front == null) {
      return "";
    }
    return "TASK "
        + (front.getPackageName() + " id=" + pid() + " userId=0\n  ACTIVITY ")
        + String.format("%s 1f%05x pid=%d\n", front.flattenToShortString(), pid(), pid())
        + "    Local Activity State:\n      mResumed=true mStopped=false mFinished=false\n";
  }

  private String window() {
    Display display = PhoneCommands.display();
    Point size = new Point();
    display.getRealSize(size);
    ComponentName front = phone.front().get();
    String name = front == null ? "" : front.getPackageName() + "/" + front.getClassName();
    String focus = String.format("Window{4c%05x u0 %s}", pid(), name);
    return "WINDOW MANAGER WINDOWS (dumpsys window windows)\n"
        + ("  Window #0 " + focus + ":\n")
        + "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n"
        + ("  Display: mDisplayId=0\n    cur=" + size.x + "x" + size.y)
        + ("\n    mRotation=" + display.getRotation() + "\n")
        + ("  mCurrentFocus=" + (front == null ? "null" : focus) + "\n")
        + ("  mFocusedApp=" + record() + "\n")
        + "  mDreamingLockscreen=false mShowingLockscreen=false\n";
  }

  private static String packageInfo(String name) {
    PackageInfo info = PackageCommands.find(name);
    if (info == null) {
      return "Unable to find package: " + name + "\n";
    }
    StringBuilder text = new StringBuilder("Packages:\n  Package [" + name + "] (6e00001):\n");
    text.append("    userId=" + info.applicationInfo.uid + "\n");
    text.append("    versionCode=" + info.versionCode);
    text.append(" targetSdk=" + info.applicationInfo.targetSdkVersion + "\n");
    text.append("    versionName=" + info.versionName + "\n    runtime permissions:\n");
    for (int i = 0;
        info.requestedPermissions != null && i < info.requestedPermissions.length;
        i++) {
      boolean isGranted =
          (info.requestedPermissionsFlags[i] & PackageInfo.REQUESTED_PERMISSION_GRANTED) != 0;
      text.append("      " + info.requestedPermissions[i] + ": granted=" + isGranted + "\n");
    }
    return text.toString();
  }

  /** Shows the battery, or changes it as `set level N`, `set ac 1`, `unplug` and `reset` ask. */
  private String battery(List<String> words) {
    Intent state =
        RuntimeEnvironment.getApplication()
            .registerReceiver(null, new IntentFilter(Intent.ACTION_BATTERY_CHANGED));
    int level = state == null ? 100 : state.getIntExtra(BatteryManager.EXTRA_LEVEL, 100);
    boolean charging = state != null && state.getIntExtra(BatteryManager.EXTRA_PLUGGED, 0) != 0;
    if (words.isEmpty()) {
      return "Current Battery Service state:\n  AC powered: "
          + (charging + "\n  USB powered: false\n  level: " + level + "\n  scale: 100\n  status: ")
          + ((charging ? 2 : 3) + "\n  present: true\n");
    }
    switch (words.get(0)) {
      case "set" -> {
        int value = Integer.parseInt(words.get(2));
        level = words.get(1).equals("level") ? Math.min(100, value) : level;
        charging = words.get(1).equals("level") ? charging : value == 1 || value == 2;
      }
      case "unplug" -> charging = false;
      case "reset" -> {
        level = 100;
        charging = true;
      }
      default -> throw new IllegalArgumentException(words.get(0));
    }
    List<String> how = new ArrayList<>(List.of(Integer.toString(level)));
    if (charging) {
      how.add("charging");
    }
    MainThread.run(() -> phone.change().apply("battery", how), true);
    return "";
  }
}
