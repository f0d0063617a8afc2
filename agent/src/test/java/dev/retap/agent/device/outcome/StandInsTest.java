// The part that stand-ins took in a crash is said in words, and code of the app and the framework
// raises no doubt.
package dev.retap.agent.device.outcome;

import static org.junit.Assert.assertEquals;

import dev.retap.agent.world.MissingCalls;
import dev.retap.agent.world.TestWorld;
import java.util.List;
import org.junit.Before;
import org.junit.Test;

public class StandInsTest {
  @Before
  public void beginProcess() {
    MissingCalls.forget();
  }

  @Test
  public void theAppsOwnCrashRaisesNoDoubt() {
    assertEquals(
        List.of(),
        StandIns.doubts(
            thrownBy(
                "com.example.Main.onClick",
                "android.view.View.performClick",
                "org.robolectric.shadows.ShadowPausedLooper$IdlingRunnable.run",
                "org.robolectric.shadows.ShadowPausedMessageQueue.nativePollOnce",
                "dev.retap.agent.device.EmbeddedPhone.run",
                "org.robolectric.shadows.ShadowBelow.call")));
  }

  @Test
  public void aCrashWhileAViewIsDrawnIsTheApps() {
    assertEquals(
        List.of(),
        StandIns.doubts(
            thrownBy(
                "com.example.Chart.onDraw",
                "android.view.View.draw",
                "dev.retap.agent.shadow.graphics.WindowDrawing.record",
                "dev.retap.agent.shadow.graphics.ViewRootImplShadow.drawFrame",
                "android.view.ViewRootImpl.performTraversals")));
  }

  @Test
  public void aCrashInAFrameOrWhenASurfaceComesIsTheApps() {
    assertEquals(
        List.of(),
        StandIns.doubts(
            thrownBy(
                "com.example.Board.surfaceCreated",
                "dev.retap.agent.shadow.surface.SurfaceViewShadow$SurfaceChange.tell",
                "android.view.SurfaceView$2.onPreDraw",
                "android.view.Choreographer.doFrame",
                "org.robolectric.shadows.ShadowChoreographer.doFrame")));
  }

  @Test
  public void aStandInInTheStackOfACauseIsNamed() {
    Throwable cause =
        thrownBy("com.example.Main.onItem", "org.robolectric.shadows.ShadowSpinner.setSelection");
    assertEquals(
        List.of("org.robolectric.shadows.ShadowSpinner.setSelection, a stand-in, is in the stack"),
        StandIns.doubts(new RuntimeException(cause)));
  }

  @Test
  public void aCrashAfterTheAppAskedForAPartThatThisPhoneLacksIsDoubtful() {
    TestWorld.run(
        world -> {
          MissingCalls.noteLack("android.hardware.Camera.open");
          assertEquals(
              List.of(
                  "android.hardware.Camera.open was called before, and this phone lacks what it"
                      + " asks for"),
              StandIns.doubts(thrownBy("com.example.Main.onClick")));
        });
    MissingCalls.forget();
    assertEquals(List.of(), StandIns.doubts(thrownBy("com.example.Main.onClick")));
  }

  private static Throwable thrownBy(String... frames) {
    Throwable thrown = new IllegalStateException("x");
    StackTraceElement[] stack = new StackTraceElement[frames.length];
    for (int i = 0; i < frames.length; i++) {
      int dot = frames[i].lastIndexOf('.');
      stack[i] =
          new StackTraceElement(
              frames[i].substring(0, dot), frames[i].substring(dot + 1), "File.java", 1);
    }
    thrown.setStackTrace(stack);
    return thrown;
  }
}
