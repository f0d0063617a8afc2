// The touch mode that the window manager keeps for all windows: a touch turns it on, a key that
// moves the focus turns it off. New windows and windows that gain the focus start with it.
package dev.retap.agent.device.system.service;

import android.view.ViewRootImpl;
import android.view.WindowManagerGlobal;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.shadows.ShadowWindowManagerGlobal;

public final class TouchMode {
  private TouchMode() {}

  /** Takes the place where windows report the mode; until API 32 that is their session. */
  public static void install(int apiLevel) {
    if (apiLevel >= 33) {
      new BinderStub()
          .on("setInTouchMode", call -> set(call.flag(0)))
          .on("setInTouchModeOnAllDisplays", call -> set(call.flag(0)))
          .on("isInTouchMode", call -> isOn())
          .publish("window", "android.view.IWindowManager");
    }
  }

  private static boolean isOn() {
    return ShadowWindowManagerGlobal.getInTouchMode();
  }

  /** Sets the mode and tells every window, as the window manager does. */
  private static Object set(boolean on) {
    if (on != isOn()) {
      FrameworkCalls.callStatic(ShadowWindowManagerGlobal.class, "setInTouchMode", on);
      Object roots = FrameworkFields.get(WindowManagerGlobal.getInstance(), "mRoots");
      for (Object root : new ArrayList<>((List<?>) roots)) {
        ((ViewRootImpl) root).touchModeChanged(on);
      }
    }
    return null;
  }
}
