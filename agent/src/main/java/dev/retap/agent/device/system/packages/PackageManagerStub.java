// The package manager's binder interface. It answers the framework's own questions through the
// public package manager.
package dev.retap.agent.device.system.packages;

import android.content.ComponentName;
import android.content.pm.PackageManager;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import org.robolectric.RuntimeEnvironment;

public final class PackageManagerStub {
  private static final int META = PackageManager.GET_META_DATA;

  private PackageManagerStub() {}

  private interface Lookup {
    Object in(PackageManager packages) throws PackageManager.NameNotFoundException;
  }

  public static BinderStub create() {
    return new BinderStub()
        .on(
            "getApplicationInfo",
            call -> find(in -> in.getApplicationInfo(call.first(String.class), META)))
        .on("getPackageInfo", call -> find(in -> in.getPackageInfo(call.first(String.class), META)))
        .on(
            "getActivityInfo",
            call -> find(in -> in.getActivityInfo(call.first(ComponentName.class), META)))
        .on(
            "getServiceInfo",
            call -> find(in -> in.getServiceInfo(call.first(ComponentName.class), META)))
        .on(
            "getReceiverInfo",
            call -> find(in -> in.getReceiverInfo(call.first(ComponentName.class), META)))
        .on(
            "getPackageInstaller",
            call ->
                new BinderStub().as(FrameworkCalls.type("android.content.pm.IPackageInstaller")))
        .on("hasSystemFeature", call -> find(in -> in.hasSystemFeature(call.first(String.class))));
  }

  private static Object find(Lookup lookup) {
    try {
      return lookup.in(RuntimeEnvironment.systemContext.getPackageManager());
    } catch (PackageManager.NameNotFoundException e) {
      return null;
    }
  }
}
