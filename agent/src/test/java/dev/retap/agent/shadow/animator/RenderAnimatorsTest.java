// An animator that the renderer keeps refers to nothing of its process once that has ended.
package dev.retap.agent.shadow.animator;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;

import org.junit.Test;

public final class RenderAnimatorsTest {
  @Test
  public void anEndedProcessLeavesItsAnimatorsEmpty() {
    Reveal animator = new Reveal();
    Reveal later = new Reveal();
    RenderAnimators.add(animator);
    RenderAnimators.forget();
    assertNull(animator.mTarget);
    assertNull(animator.mClipView);
    assertEquals("finished", 3, animator.mState);
    assertEquals(7, animator.mDuration);
    assertNotNull("Robolectric's own", animator.__robo_data__);
    RenderAnimators.forget();
    assertNotNull("never handed over", later.mTarget);
  }

  private static class Handed {
    final Object __robo_data__ = new Object();
    Object mTarget = new Object();
    int mState = 2;
    int mDuration = 7;
  }

  private static final class Reveal extends Handed {
    Object mClipView = new Object();
  }
}
