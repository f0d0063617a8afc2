// Gives the identity of a caller a token, which is never 0 on a phone.
package dev.retap.agent.shadow.system;

import android.os.Binder;
import android.os.Process;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowBinder;

@Implements(Binder.class)
public class BinderShadow extends ShadowBinder {
  /** Returns the identity as the kernel packs it: user in the upper half, process in the lower. */
  @Implementation
  protected static long clearCallingIdentity() {
    return (long) Process.myUid() << 32 | Process.myPid();
  }

  /** All callers are in this process, so there is nothing to restore. */
  @Implementation
  protected static void restoreCallingIdentity(long token) {}
}
