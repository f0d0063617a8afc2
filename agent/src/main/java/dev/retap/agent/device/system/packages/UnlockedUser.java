// The phone's only user, who has unlocked the phone: storage can be read before the first line of
// the app's code runs.
package dev.retap.agent.device.system.packages;

import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import java.io.File;

public final class UnlockedUser {
  private UnlockedUser() {}

  /** Publishes the user manager and the storage manager. */
  public static void install(int apiLevel) {
    new BinderStub()
        .on("isUserRunning", call -> true)
        .on("isUserUnlocked", call -> true)
        .on("isUserUnlockingOrUnlocked", call -> true)
        .on("getUserHandle", call -> 0)
        .on("getUserSerialNumber", call -> 0)
        .on("getProfileIds", call -> new int[] {0})
        .on("getEnabledProfileIds", call -> new int[] {0})
        .on("getUserName", call -> "Owner")
        .on("canAddMoreUsers", call -> false)
        .on("isUserForeground", call -> true)
        .on("isUserVisible", call -> true)
        .publish("user", "android.os.IUserManager");
    new BinderStub()
        .on("isUserKeyUnlocked", call -> true)
        .on("isCeStorageUnlocked", call -> true)
        .on("getVolumeState", call -> "mounted")
        .on("mkdirs", UnlockedUser::makeFolder)
        .publish(
            "mount",
            apiLevel < 26
                ? "android.os.storage.IMountService"
                : "android.os.storage.IStorageManager");
  }

  /** Makes one of the app's folders on the shared storage, as the system does from API 30 on. */
  private static Object makeFolder(BinderCall call) {
    new File(call.last(String.class)).mkdirs();
    return null;
  }
}
