// Hands accessibility events to whoever drives the phone through them, such as a test.
package dev.retap.agent.shadow.system;

import android.os.SystemClock;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityManager;
import java.util.function.Consumer;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowAccessibilityManager;

@Implements(value = AccessibilityManager.class, isInAndroidSdk = false)
public class AccessibilityManagerShadow extends ShadowAccessibilityManager {
  private static Consumer<AccessibilityEvent> listener = event -> {};

  /** Sets who gets the events of this process. */
  public static void setListener(Consumer<AccessibilityEvent> listener) {
    AccessibilityManagerShadow.listener = listener;
  }

  /** Forgets the process that has ended. */
  static void forget() {
    listener = event -> {};
  }

  /** Dates an event, as the real method does: who waits for events leaves out earlier ones. */
  @Implementation
  public void sendAccessibilityEvent(AccessibilityEvent event) {
    event.setEventTime(SystemClock.uptimeMillis());
    listener.accept(event);
  }
}
