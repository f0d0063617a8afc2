// Notes each animator whose native half gets a reference to it, so that the reference can end with
// the process (see RenderAnimators).
package dev.retap.agent.shadow.animator;

import static org.robolectric.util.reflector.Reflector.reflector;

import android.graphics.animation.RenderNodeAnimator;
import org.robolectric.annotation.ClassName;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowNativeRenderNodeAnimator;
import org.robolectric.shadows.ShadowNativeRenderNodeAnimatorQ;
import org.robolectric.util.reflector.ForType;
import org.robolectric.util.reflector.Static;

@Implements(
    value = RenderNodeAnimator.class,
    minSdk = 30,
    isInAndroidSdk = false,
    callNativeMethodsByDefault = true)
public class RenderAnimatorShadow extends ShadowNativeRenderNodeAnimator {
  @Implementation(maxSdk = 34)
  protected static void nSetListener(long pointer, RenderNodeAnimator animator) {
    ShadowNativeRenderNodeAnimator.nSetListener(pointer, animator);
    RenderAnimators.add(animator);
  }

  /** From 35 on the framework calls its native half itself. */
  @Implementation(minSdk = 35, methodName = "nSetListener")
  protected static void setListener(long pointer, RenderNodeAnimator animator) {
    reflector(Natives.class).$$robo$$nSetListener$nativeBinding(pointer, animator);
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

  @ForType(RenderNodeAnimator.class)
  private interface Natives {
    @Static
    void $$robo$$nSetListener$nativeBinding(long pointer, RenderNodeAnimator animator);
  }
}
