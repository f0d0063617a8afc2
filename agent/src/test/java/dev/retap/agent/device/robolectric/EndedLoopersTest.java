// The clock and the frames forget a looper whose thread ended without quitting it.
package dev.retap.agent.device.robolectric;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.os.Looper;
import android.view.Choreographer;
import dev.retap.agent.device.reflect.FrameworkFields;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;
import org.robolectric.shadows.ShadowPausedChoreographer;
import org.robolectric.shadows.ShadowPausedSystemClock;

@RunWith(RobolectricTestRunner.class)
@Config(sdk = {28, 34})
public class EndedLoopersTest {
  @Test
  public void onlyLoopersOfLivingThreadsAreKept() throws Exception {
    EndedLoopers.forget();
    List<Object> before = new ArrayList<>(listeners());
    Thread ended = new Thread(Looper::prepare);
    ended.start();
    ended.join();
    assertEquals(before.size() + 1, listeners().size());
    EndedLoopers.forget();
    assertEquals(before, new ArrayList<>(listeners()));
    assertTrue("the main looper's", before.size() >= 1);
  }

  @Test
  public void noChoreographerIsKept() {
    Choreographer.getInstance();
    assertFalse(choreographers().isEmpty());
    EndedLoopers.forget();
    assertTrue(choreographers().isEmpty());
  }

  private static Collection<?> listeners() {
    return (Collection<?>)
        FrameworkFields.getStatic(ShadowPausedSystemClock.class, "staticListeners");
  }

  private static Collection<?> choreographers() {
    return (Collection<?>)
        FrameworkFields.getStatic(ShadowPausedChoreographer.class, "activeChoreographers");
  }
}
