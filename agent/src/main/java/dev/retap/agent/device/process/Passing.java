// What passes from one process to another: a copy of an intent, because two processes share no
// object, and what the framework makes of a binder.
package dev.retap.agent.device.process;

import android.content.Intent;
import android.os.IBinder;
import android.os.Parcel;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.shadow.system.BinderProxyShadow;
import org.robolectric.shadow.api.Shadow;

public final class Passing {
  private Passing() {}

  /** Returns the intent as it is read in another process: its extras when they are asked for. */
  public static Intent copy(Intent intent) {
    Parcel parcel = Parcel.obtain();
    try {
      intent.writeToParcel(parcel, 0);
      parcel.setDataPosition(0);
      return Intent.CREATOR.createFromParcel(parcel);
    } finally {
      parcel.recycle();
    }
  }

  /**
   * Returns what another process sees of a binder.
   *
   * @param owner the process that the binder lies in; null is the main one
   */
  public static IBinder link(IBinder target, OtherProcess owner) {
    IBinder proxy = (IBinder) FrameworkCalls.constructEmpty("android.os.BinderProxy");
    Shadow.<BinderProxyShadow>extract(proxy).link(target, owner);
    return proxy;
  }
}
