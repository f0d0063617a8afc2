// Notes each animator whose native half gets a reference to it, so that the reference can end with
// the process (see RenderAnimators).
package dev.retap.agent.shadow.graphics;

import android.graphics.animation.RenderNodeAnimator;
import org.robolectric.annotation.ClassName;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowNativeRenderNodeAnimator;
import org.robolectric.shadows.ShadowNativeRenderNodeAnimatorQ;

@Implements(value = RenderNodeAnimator.class, minSdk = 30, isInAndroidSdk = false)
public class RenderAnimatorShadow extends ShadowNativeRenderNodeAnimator {
  @Implementation
  protected static void nSetListener(long pointer, RenderNodeAnimator animator) {
    ShadowNativeRenderNodeAnimator.nSetListener(pointer, animator);
    RenderAnimators.add(animator);
  }

  /** The same where the class has another package. */
  @Implements(className = "android.view.RenderNodeAnimator", maxSdk = 29, isInAndroidSdk = false)
  public static class Before30 extends ShadowNativeRenderNodeAnimatorQ {
    @Implementation
    protected static void nSetListener(
        long pointer, @ClassName("android.view.RenderNodeAnimator") Object animator) {
      ShadowNativeRenderNodeAnimatorQ.nSetListener(pointer, animator);
      RenderAnimators.add(animator);
    }
  }
}
