// What the alarm manager refuses: exact alarms of apps that may not set them, and too many alarms.
package dev.retap.agent.device.system.packages;

import android.os.Process;
import dev.retap.agent.device.binder.BinderStub;

public final class AlarmRules {
  private static final String SCHEDULE = "android.permission.SCHEDULE_EXACT_ALARM";
  private static final String USE = "android.permission.USE_EXACT_ALARM";
  private static final int FIRST_WITH_PERMISSION = 31;
  private static final int FIRST_WITH_USE = 33;

  /** The first level at which the user must allow what an app for API 33 or later declares. */
  private static final int FIRST_THAT_DENIES = 34;

  private static final int FIRST_WITH_LIMIT = 29;
  private static final int LIMIT = 500;

  private final String packageName;
  private final RuntimePermissions permissions;
  private final int targetSdk;
  private final int apiLevel;

  public AlarmRules(
      String packageName, RuntimePermissions permissions, int targetSdk, int apiLevel) {
    this.packageName = packageName;
    this.permissions = permissions;
    this.targetSdk = targetSdk;
    this.apiLevel = apiLevel;
  }

  /** Returns true if the app may set exact alarms. */
  public boolean maySetExact() {
    if (Math.min(targetSdk, apiLevel) < FIRST_WITH_PERMISSION) {
      return true;
    }
    boolean isDenied = apiLevel >= FIRST_THAT_DENIES && targetSdk >= FIRST_WITH_USE;
    return permissions.isRequested(SCHEDULE) && !isDenied
        || apiLevel >= FIRST_WITH_USE && permissions.isGranted(USE);
  }

  /**
   * Throws if the app may not set one more alarm.
   *
   * @param set how many alarms the app has set
   */
  public void check(boolean isExact, int set) {
    if (isExact && !maySetExact()) {
      throw BinderStub.refuse(
          "Caller %s needs to hold %s to set exact alarms."
              .formatted(
                  packageName, apiLevel < FIRST_WITH_USE ? SCHEDULE : SCHEDULE + " or " + USE));
    }
    if (apiLevel >= FIRST_WITH_LIMIT && set >= LIMIT) {
      throw BinderStub.trimmed(
          new IllegalStateException(
              "Maximum limit of concurrent alarms %d reached for uid: u0a%d, callingPackage: %s"
                  .formatted(LIMIT, Process.myUid() % Process.FIRST_APPLICATION_UID, packageName)));
    }
  }
}
