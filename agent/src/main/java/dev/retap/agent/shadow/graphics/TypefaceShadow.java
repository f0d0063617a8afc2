// Leaves out the warming of a font cache, which the host's native half does not have.
package dev.retap.agent.shadow.graphics;

import android.graphics.Typeface;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowNativeTypeface;

@Implements(value = Typeface.class, isInAndroidSdk = false, callNativeMethodsByDefault = true)
public class TypefaceShadow extends ShadowNativeTypeface {
  @Implementation
  protected static void nativeWarmUpCache(String fontFile) {}
}
