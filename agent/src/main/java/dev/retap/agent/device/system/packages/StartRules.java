// What the activity manager refuses to an app that starts an activity of another app.
package dev.retap.agent.device.system.packages;

import android.content.Intent;
import android.os.Process;
import android.provider.AlarmClock;
import android.provider.MediaStore;
import dev.retap.agent.device.binder.BinderStub;
import java.util.Map;
import java.util.Set;

public final class StartRules {
  private static final String CAMERA = "android.permission.CAMERA";
  private static final String OVERLAYS = "android.permission.SYSTEM_ALERT_WINDOW";
  private static final int FIRST_THAT_BLOCKS = 29;
  private static final String SET_ALARM = "com.android.alarm.permission.SET_ALARM";

  /** The permissions that the phone's own apps ask of whoever starts them. */
  private static final Map<String, String> REQUIRED =
      Map.of(
          Intent.ACTION_CALL, "android.permission.CALL_PHONE",
          AlarmClock.ACTION_SET_ALARM, SET_ALARM,
          AlarmClock.ACTION_SET_TIMER, SET_ALARM,
          AlarmClock.ACTION_SHOW_ALARMS, SET_ALARM);

  /** What only an app cannot ask for that has declared the permission and was not given it. */
  private static final Set<String> OF_CAMERA =
      Set.of(MediaStore.ACTION_IMAGE_CAPTURE, MediaStore.ACTION_VIDEO_CAPTURE);

  private final DeclaredComponents components;
  private final RuntimePermissions permissions;
  private final int apiLevel;

  public StartRules(DeclaredComponents components, RuntimePermissions permissions, int apiLevel) {
    this.components = components;
    this.permissions = permissions;
    this.apiLevel = apiLevel;
  }

  /** Throws if the app may not start this activity of another app. */
  public void check(Intent intent) {
    String action = intent.getAction();
    if (action == null || components.activity(intent) != null) {
      return;
    }
    String required = REQUIRED.get(action);
    if (required != null && !permissions.isGranted(required)) {
      throw refuse(intent, "requires " + required);
    }
    if (OF_CAMERA.contains(action)
        && permissions.isRequested(CAMERA)
        && !permissions.isGranted(CAMERA)) {
      throw refuse(intent, "with revoked permission " + CAMERA);
    }
  }

  /** Returns true if an app that nobody sees starts no activities. */
  public boolean areActivitiesBlocked() {
    return apiLevel >= FIRST_THAT_BLOCKS && !permissions.isGranted(OVERLAYS);
  }

  private SecurityException refuse(Intent intent, String reason) {
    return BinderStub.refuse(
        "Permission Denial: starting %s from ProcessRecord{0 %d:%s} (pid=%d, uid=%d) %s"
            .formatted(
                intent,
                Process.myPid(),
                components.packageName(),
                Process.myPid(),
                Process.myUid(),
                reason));
  }
}
