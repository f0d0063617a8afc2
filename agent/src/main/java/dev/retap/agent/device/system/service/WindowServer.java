// The window manager, as far as an app asks it directly: whether the phone is in touch mode.
package dev.retap.agent.device.system.service;

import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import org.robolectric.shadows.ShadowWindowManagerGlobal;

public final class WindowServer {
  private WindowServer() {}

  public static void install() {
    new BinderStub()
        .on("isInTouchMode", call -> ShadowWindowManagerGlobal.getInTouchMode())
        .on(
            "setInTouchMode",
            call ->
                FrameworkCalls.callStatic(
                    ShadowWindowManagerGlobal.class, "setInTouchMode", call.flag(0)))
        .publish("window", "android.view.IWindowManager");
  }
}
