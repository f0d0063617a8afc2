// What the activity manager refuses to a service that shows a notification to stay in the
// foreground.
package dev.retap.agent.device.system.packages;

import android.content.pm.ServiceInfo;
import android.os.Process;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import java.util.function.Predicate;

public final class ForegroundRules {
  private static final String PERMISSION = "android.permission.FOREGROUND_SERVICE";
  private static final int FIRST_WITH_PERMISSION = 28;
  private static final int FIRST_WITH_TYPES = 29;
  private static final int FIRST_THAT_NEEDS_A_TYPE = 34;

  /** The type that stands for those of the manifest. */
  private static final int OF_MANIFEST = -1;

  /** The permissions of the types, from the lowest bit on. */
  private static final String[] OF_TYPES = {
    "DATA_SYNC",
    "MEDIA_PLAYBACK",
    "PHONE_CALL",
    "LOCATION",
    "CONNECTED_DEVICE",
    "MEDIA_PROJECTION",
    "CAMERA",
    "MICROPHONE",
    "HEALTH",
    "REMOTE_MESSAGING",
    "SYSTEM_EXEMPTED",
  };

  private final Predicate<String> granted;
  private final int targetSdk;
  private final int apiLevel;

  public ForegroundRules(Predicate<String> isGranted, int targetSdk, int apiLevel) {
    this.granted = isGranted;
    this.targetSdk = targetSdk;
    this.apiLevel = apiLevel;
  }

  /** Returns the level whose rules hold for this app. */
  public int level() {
    return Math.min(targetSdk, apiLevel);
  }

  /** Throws if the service may not be in the foreground with this type. */
  public void check(ServiceInfo service, int type) {
    if (level() >= FIRST_WITH_PERMISSION && !granted.test(PERMISSION)) {
      throw BinderStub.refuse(
          "Permission Denial: startForeground from pid=%d, uid=%d requires %s"
              .formatted(Process.myPid(), Process.myUid(), PERMISSION));
    }
    if (apiLevel < FIRST_WITH_TYPES) {
      return;
    }
    int declared = service.getForegroundServiceType();
    if (type != OF_MANIFEST && (type & ~declared) != 0) {
      throw BinderStub.trimmed(
          new IllegalArgumentException(
              ("foregroundServiceType 0x%08X is not a subset of foregroundServiceType attribute"
                      + " 0x%08X in service element of manifest file")
                  .formatted(type, declared)));
    }
    if (level() >= FIRST_THAT_NEEDS_A_TYPE) {
      checkTypes(type == OF_MANIFEST ? declared : type);
    }
  }

  private void checkTypes(int types) {
    if (types == 0) {
      Object missing =
          FrameworkCalls.construct(
              FrameworkCalls.type("android.app.MissingForegroundServiceTypeException"),
              "Starting FGS without a type  targetSDK=" + targetSdk);
      throw BinderStub.trimmed((RuntimeException) missing);
    }
    for (int i = 0; i < OF_TYPES.length; i++) {
      String permission = PERMISSION + "_" + OF_TYPES[i];
      if ((types & 1 << i) != 0 && !granted.test(permission)) {
        throw BinderStub.refuse(
            "Starting FGS with type %s targetSDK=%d requires permissions: [%s]"
                .formatted(OF_TYPES[i], targetSdk, permission));
      }
    }
  }
}
