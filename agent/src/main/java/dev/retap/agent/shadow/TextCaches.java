// Stand-in for the one part of ActivityThread the host cannot run: emptying Skia's text caches,
// a native call that its graphics library lacks and that changes nothing an app can see.
package dev.retap.agent.shadow;

import android.app.ActivityThread;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowActivityThread;

@Implements(value = ActivityThread.class, isInAndroidSdk = false)
public class TextCaches extends ShadowActivityThread {
  @Implementation
  protected static void freeTextLayoutCachesIfNeeded(int configDiff) {}
}
