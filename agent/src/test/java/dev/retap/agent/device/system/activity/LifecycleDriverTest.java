// Orders reach the app in a phone's order.
package dev.retap.agent.device.system.activity;

import static dev.retap.agent.device.system.activity.StackFixture.declare;
import static org.junit.Assert.assertEquals;

import android.app.Activity;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;

@RunWith(RobolectricTestRunner.class)
@Config(sdk = 30)
public class LifecycleDriverTest {
  private final StackFixture fixture = new StackFixture();

  @Test
  public void theOldActivityPausesBeforeTheNewOneStartsAndStopsAfter() {
    ActivityRecord first = fixture.launch(declare("A"));
    assertEquals(List.of("launch A"), fixture.settle());
    fixture.start(first, declare("B"));
    assertEquals(List.of("pause leaving A", "launch B", "stop A"), fixture.settle());
  }

  @Test
  public void aFinishedActivityIsDestroyedAfterTheOneBelowResumes() {
    ActivityRecord first = fixture.launch(declare("A"));
    fixture.settle();
    ActivityRecord second = fixture.start(first, declare("B"));
    fixture.settle();
    fixture.lifecycle.finish(second, Activity.RESULT_CANCELED, null);
    assertEquals(List.of("pause finishing B", "resume A", "destroy B"), fixture.settle());
  }

  @Test
  public void aResultArrivesBeforeItsReceiverResumes() {
    ActivityRecord first = fixture.launch(declare("A"));
    fixture.settle();
    ActivityRecord second = fixture.start(first, declare("B"), 3, new int[0]);
    fixture.settle();
    fixture.lifecycle.finish(second, Activity.RESULT_OK, new Intent("done"));
    assertEquals(
        List.of("pause finishing B", "1 results to A", "resume A", "destroy B"), fixture.settle());
  }

  @Test
  public void anActivityThatWasNeverLaunchedIsNotDestroyed() {
    ActivityRecord first = fixture.launch(declare("A"));
    fixture.settle();
    fixture.lifecycle.drop(fixture.start(first, declare("B")));
    assertEquals(List.of(), fixture.settle());
  }

  @Test
  public void theLastActivityLeavesNobodyResumed() {
    ActivityRecord first = fixture.launch(declare("A"));
    fixture.settle();
    fixture.lifecycle.finish(first, Activity.RESULT_CANCELED, null);
    assertEquals(List.of("pause finishing A", "destroy A", "trim memory"), fixture.settle());
  }

  @Test
  public void aTurnedDisplayMakesTheActivityAnew() {
    ActivityRecord first = fixture.launch(declare("A"));
    fixture.settle();
    RuntimeEnvironment.setQualifiers("+land");
    fixture.lifecycle.settle(first, List.of(first), false, true);
    assertEquals(List.of("configuration to the process", "relaunch A"), fixture.client.take());
  }

  @Test
  public void anActivityThatHandlesAChangeOnlyHearsOfIt() {
    var info = declare("A");
    info.configChanges = ~0;
    ActivityRecord first = fixture.launch(info);
    fixture.settle();
    RuntimeEnvironment.setQualifiers("+land");
    fixture.lifecycle.settle(first, List.of(first), false, true);
    assertEquals(
        List.of("configuration to the process", "configuration to A"), fixture.client.take());
  }

  @Test
  public void theActivityBelowIsNotStoppedWhileTheOneAboveIsBusy() {
    ActivityRecord first = fixture.launch(declare("A"));
    fixture.settle();
    ActivityRecord second = fixture.start(first, declare("B"), 3, new int[0]);
    fixture.lifecycle.settle(second, List.of(second), true, false);
    assertEquals(List.of("pause leaving A", "launch B"), fixture.client.take());
    fixture.lifecycle.finish(second, Activity.RESULT_OK, null);
    assertEquals(
        List.of("pause finishing B", "1 results to A", "resume A", "destroy B"), fixture.settle());
  }

  @Test
  public void anIntentForAStoppedActivityWaitsUntilItResumes() {
    ActivityRecord first = fixture.launch(declare("A", ActivityInfo.LAUNCH_SINGLE_TOP));
    fixture.settle();
    ActivityRecord second = fixture.start(first, declare("B"));
    fixture.settle();
    fixture.start(second, first.info, Intent.FLAG_ACTIVITY_CLEAR_TOP);
    assertEquals(List.of(), fixture.client.take());
    assertEquals(
        List.of("pause finishing B", "1 intents to A", "resume A", "destroy B"), fixture.settle());
  }

  @Test
  public void anAnswerThatIsForwardedComesOnce() {
    ActivityRecord first = fixture.launch(declare("A"));
    fixture.settle();
    ActivityRecord second = fixture.start(first, declare("B"), 3, new int[0]);
    fixture.settle();
    ActivityRecord third = fixture.start(second, declare("C"), Intent.FLAG_ACTIVITY_FORWARD_RESULT);
    fixture.lifecycle.finish(second, Activity.RESULT_CANCELED, null);
    fixture.settle();
    fixture.lifecycle.finish(third, Activity.RESULT_OK, null);
    assertEquals(
        List.of("pause finishing C", "1 results to A", "resume A", "destroy C"), fixture.settle());
  }

  @Test
  public void anAppThatNobodySeesTrimsItsMemoryOnce() {
    fixture.launch(declare("A"));
    fixture.settle();
    fixture.lifecycle.settle(null, List.of(), true, false);
    assertEquals(List.of("pause leaving A", "stop A", "trim memory"), fixture.client.take());
    fixture.lifecycle.settle(null, List.of(), true, false);
    assertEquals(List.of(), fixture.client.take());
  }
}
