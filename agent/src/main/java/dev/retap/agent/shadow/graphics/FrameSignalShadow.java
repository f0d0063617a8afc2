// The display's signal to draw the next frame. It comes at the display's own pace, on the looper of
// whoever asked for it and never while it is asked for, so that no call moves the clock.
package dev.retap.agent.shadow.graphics;

import static org.robolectric.util.reflector.Reflector.reflector;

import android.os.Handler;
import android.os.Looper;
import android.os.Message;
import android.os.SystemClock;
import android.view.DisplayEventReceiver;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.ClassName;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowChoreographer;
import org.robolectric.shadows.ShadowDisplayEventReceiver;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;
import org.robolectric.util.reflector.Accessor;
import org.robolectric.util.reflector.ForType;

@Implements(className = "android.view.DisplayEventReceiver", isInAndroidSdk = false)
public class FrameSignalShadow extends ShadowDisplayEventReceiver {
  private static final long NANOS_A_MILLI = 1_000_000;
  private static final int FIRST_WITH_EVENT_DATA = 31;

  private static Object eventData;

  private Handler handler;
  private int frame;

  @Implementation
  protected void scheduleVsync() {
    if (handler == null) {
      handler = new Handler(Looper.myLooper());
    }
    long interval = ShadowChoreographer.getFrameDelay().toMillis();
    Message signal = Message.obtain(handler, this::send);
    signal.setAsynchronous(true);
    handler.sendMessageAtTime(signal, (SystemClock.uptimeMillis() / interval + 1) * interval);
  }

  @Implementation(minSdk = 33)
  protected @ClassName("android.view.DisplayEventReceiver$VsyncEventData") Object
      getLatestVsyncEventData() {
    return eventData();
  }

  private void send() {
    if (reflector(ReceiverFields.class, realReceiver).getReceiverPtr() != 0) {
      onVsync(SystemClock.uptimeMillis() * NANOS_A_MILLI, frame++, eventData());
    }
  }

  /** Returns what comes with a signal: the pace of the display and when the frame is due. */
  private static synchronized Object eventData() {
    if (eventData == null && RuntimeEnvironment.getApiLevel() >= FIRST_WITH_EVENT_DATA) {
      Class<?> host =
          ReflectionHelpers.loadClass(
              FrameSignalShadow.class.getClassLoader(),
              ShadowDisplayEventReceiver.class.getName() + "$NativeDisplayEventReceiver");
      eventData =
          ReflectionHelpers.callStaticMethod(
              host,
              "newVsyncEventData",
              ClassParameter.from(long.class, ShadowChoreographer.getFrameDelay().toNanos()));
    }
    return eventData;
  }

  @ForType(DisplayEventReceiver.class)
  private interface ReceiverFields {
    @Accessor("mReceiverPtr")
    long getReceiverPtr();
  }
}
