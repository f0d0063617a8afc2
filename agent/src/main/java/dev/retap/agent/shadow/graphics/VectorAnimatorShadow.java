// Ends the animation of a vector drawable after its time. On a phone the render thread animates and
// tells when it is done; nobody plays that thread here, so the pictures between are left out.
package dev.retap.agent.shadow.graphics;

import static org.robolectric.util.reflector.Reflector.reflector;

import android.animation.AnimatorSet;
import android.graphics.drawable.AnimatedVectorDrawable;
import android.os.Handler;
import android.os.Looper;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.util.reflector.Accessor;
import org.robolectric.util.reflector.Direct;
import org.robolectric.util.reflector.ForType;

@Implements(className = VectorAnimatorShadow.ANIMATOR, isInAndroidSdk = false)
public class VectorAnimatorShadow {
  static final String ANIMATOR =
      "android.graphics.drawable.AnimatedVectorDrawable$VectorDrawableAnimatorRT";

  @RealObject private Object animator;

  @Implementation
  protected void startAnimation() {
    reflector(AnimatorMembers.class, animator).startAnimation();
    endInTime();
  }

  @Implementation
  protected void reverseAnimation() {
    reflector(AnimatorMembers.class, animator).reverseAnimation();
    endInTime();
  }

  private void endInTime() {
    AnimatorMembers members = reflector(AnimatorMembers.class, animator);
    AnimatorSet set = reflector(DrawableFields.class, members.getDrawable()).getAnimatorSet();
    if (set != null && !members.isInfinite()) {
      int id = members.getLastListenerId();
      new Handler(Looper.getMainLooper())
          .postDelayed(() -> members.onAnimationEnd(id), Math.max(0, set.getTotalDuration()));
    }
  }

  @ForType(className = ANIMATOR)
  private interface AnimatorMembers {
    @Direct
    void startAnimation();

    @Direct
    void reverseAnimation();

    void onAnimationEnd(int id);

    boolean isInfinite();

    @Accessor("mLastListenerId")
    int getLastListenerId();

    @Accessor("mDrawable")
    AnimatedVectorDrawable getDrawable();
  }

  @ForType(AnimatedVectorDrawable.class)
  private interface DrawableFields {
    @Accessor("mAnimatorSetFromXml")
    AnimatorSet getAnimatorSet();
  }
}
