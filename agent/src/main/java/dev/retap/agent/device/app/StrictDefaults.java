// What StrictMode forbids to every app from its first line on: the network on the main thread, and
// addresses of files that leave the app. The app's target decides, and the app may change it.
package dev.retap.agent.device.app;

import android.content.pm.ApplicationInfo;
import android.os.StrictMode;
import dalvik.system.BlockGuard;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.world.net.Network;

final class StrictDefaults {
  private static final int FIRST_WITH_DEFAULTS = 28;
  private static final int FIRST_WITHOUT_FILE_ADDRESSES = 24;
  private static final int FIRST_WITHOUT_NETWORK = 11;

  private StrictDefaults() {}

  /** Sets the policies of a new process and of its main thread, which calls this. */
  static void apply(ApplicationInfo info, int apiLevel) {
    if (apiLevel >= FIRST_WITH_DEFAULTS) {
      FrameworkCalls.callStatic(StrictMode.class, "initThreadDefaults", info);
      FrameworkCalls.callStatic(StrictMode.class, "initVmDefaults", info);
    } else {
      StrictMode.setThreadPolicy(StrictMode.ThreadPolicy.LAX);
      StrictMode.setVmPolicy(StrictMode.VmPolicy.LAX);
      if (info.targetSdkVersion >= FIRST_WITHOUT_NETWORK) {
        FrameworkCalls.callStatic(StrictMode.class, "enableDeathOnNetwork");
      }
      if (Math.min(info.targetSdkVersion, apiLevel) >= FIRST_WITHOUT_FILE_ADDRESSES) {
        FrameworkCalls.callStatic(StrictMode.class, "enableDeathOnFileUriExposure");
      }
    }
    Network.setGuard(StrictDefaults::checkNetwork);
  }

  private static void checkNetwork() {
    BlockGuard.getThreadPolicy().onNetwork();
  }
}
