// What services that nobody plays refuse: calls of the app that need a permission which it lacks.
package dev.retap.agent.device.system.packages;

import android.os.Process;
import dev.retap.agent.device.binder.BinderStub;
import java.util.function.Predicate;

public final class CallPermissions {
  private static final String BLUETOOTH = "android.permission.BLUETOOTH";
  private static final String SETTINGS = "android.permission.WRITE_SETTINGS";
  private static final String SECURE_SETTINGS = "android.permission.WRITE_SECURE_SETTINGS";

  /** The first level with permissions to see and to use devices nearby. */
  private static final int FIRST_WITH_NEARBY_DEVICES = 31;

  private static Predicate<String> granted = permission -> true;
  private static boolean asksForNearbyDevices;
  private static String packageName = "";

  private CallPermissions() {}

  /** Sets the app's package and who knows its permissions. */
  public static void install(String app, Predicate<String> isGranted, int targetSdk, int apiLevel) {
    packageName = app;
    granted = isGranted;
    asksForNearbyDevices = Math.min(targetSdk, apiLevel) >= FIRST_WITH_NEARBY_DEVICES;
  }

  /** Throws what the service throws if the app lacks the permission. */
  public static void check(String permission) {
    if (asksForNearbyDevices && permission.startsWith(BLUETOOTH)) {
      // There are other permissions for them now, which the calls of older apps do not know.
      return;
    }
    if (permission.equals(SETTINGS) && !isGranted(permission)) {
      throw BinderStub.refuse(
          packageName + " was not granted  this permission: " + permission + ".");
    }
    if (!isGranted(permission)) {
      throw BinderStub.refuse(
          "Neither user %d nor current process has %s.".formatted(Process.myUid(), permission));
    }
  }

  private static boolean isGranted(String permission) {
    // No app gets the permission for the phone's own settings by declaring it.
    return !permission.equals(SECURE_SETTINGS) && granted.test(permission);
  }
}
