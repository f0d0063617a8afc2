// Paints of up to API 28 keep the lowest eight bits of an alpha; the host's native half is younger.
package dev.retap.agent.shadow.graphics;

import android.graphics.Paint;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowNativePaint;

@Implements(value = Paint.class, isInAndroidSdk = false, callNativeMethodsByDefault = true)
public class OldPaintShadow extends ShadowNativePaint {
  @Implementation
  protected static void nSetAlpha(long paint, int alpha) {
    ShadowNativePaint.nSetAlpha(paint, alpha & 0xff);
  }
}
