// Launch modes, intent flags and task affinities decide where an activity goes.
package dev.retap.agent.device.system.activity;

import static dev.retap.agent.device.system.activity.StackFixture.declare;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import android.content.Intent;
import android.content.pm.ActivityInfo;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;

@RunWith(RobolectricTestRunner.class)
@Config(sdk = 30)
public class ActivityStarterTest {
  private final StackFixture fixture = new StackFixture();
  private final ActivityInfo a = declare("A");
  private final ActivityInfo b = declare("B");
  private final ActivityInfo c = declare("C");

  @Test
  public void aStandardActivityGoesOnTopOfItsCaller() {
    ActivityRecord first = fixture.launch(a);
    fixture.start(first, b);
    assertEquals("A B", fixture.names());
  }

  @Test
  public void aStandardActivityIsMadeAgain() {
    ActivityRecord first = fixture.launch(a);
    assertNotSame(first, fixture.start(first, a));
    assertEquals("A A", fixture.names());
  }

  @Test
  public void aSingleTopActivityIsUsedAgainOnlyAtTheTop() {
    ActivityInfo single = declare("S", ActivityInfo.LAUNCH_SINGLE_TOP);
    ActivityRecord first = fixture.launch(single);
    assertSame(first, fixture.start(first, single));
    ActivityRecord second = fixture.start(first, b);
    fixture.start(second, single);
    assertEquals("S B S", fixture.names());
  }

  @Test
  public void theSingleTopFlagDoesTheSame() {
    ActivityRecord first = fixture.launch(a);
    fixture.start(first, a, Intent.FLAG_ACTIVITY_SINGLE_TOP);
    assertEquals("A", fixture.names());
  }

  @Test
  public void aSingleTaskActivityIsUsedAgainAndClearsThoseAboveIt() {
    ActivityInfo single = declare("S", ActivityInfo.LAUNCH_SINGLE_TASK);
    ActivityRecord first = fixture.launch(single);
    ActivityRecord second = fixture.start(first, b);
    assertSame(first, fixture.start(second, single));
    assertEquals("S", fixture.names());
  }

  @Test
  public void aSingleTaskActivityOfAnotherAffinityHasATaskOfThatAffinity() {
    ActivityInfo single = declare("S", ActivityInfo.LAUNCH_SINGLE_TASK);
    single.taskAffinity = "elsewhere";
    ActivityRecord alone = fixture.start(fixture.launch(a), single);
    fixture.start(alone, b);
    assertEquals("A | S B", fixture.names());
  }

  @Test
  public void aSingleInstanceActivityHasATaskOfItsOwn() {
    ActivityInfo single = declare("S", ActivityInfo.LAUNCH_SINGLE_INSTANCE);
    ActivityRecord alone = fixture.start(fixture.launch(a), single);
    assertEquals("A | S", fixture.names());
    fixture.start(alone, b);
    assertEquals("S | A B", fixture.names());
  }

  @Test
  public void clearTopFinishesAllAboveAndMakesAStandardActivityAgain() {
    ActivityRecord first = fixture.launch(a);
    ActivityRecord third = fixture.start(fixture.start(first, b), c);
    assertNotSame(first, fixture.start(third, a, Intent.FLAG_ACTIVITY_CLEAR_TOP));
    assertEquals("A", fixture.names());
  }

  @Test
  public void clearTopWithSingleTopKeepsTheActivity() {
    ActivityRecord first = fixture.launch(a);
    ActivityRecord second = fixture.start(first, b);
    int flags = Intent.FLAG_ACTIVITY_CLEAR_TOP | Intent.FLAG_ACTIVITY_SINGLE_TOP;
    assertSame(first, fixture.start(second, a, flags));
    assertEquals("A", fixture.names());
  }

  @Test
  public void reorderToFrontKeepsAllActivities() {
    ActivityRecord first = fixture.launch(a);
    ActivityRecord second = fixture.start(first, b);
    assertSame(first, fixture.start(second, a, Intent.FLAG_ACTIVITY_REORDER_TO_FRONT));
    assertEquals("B A", fixture.names());
  }

  @Test
  public void clearTaskEmptiesTheTaskFirst() {
    ActivityRecord second = fixture.start(fixture.launch(a), b);
    int flags = Intent.FLAG_ACTIVITY_NEW_TASK | Intent.FLAG_ACTIVITY_CLEAR_TASK;
    fixture.start(second, c, flags);
    assertEquals("C", fixture.names());
  }

  @Test
  public void newTaskUsesTheTaskOfTheSameAffinity() {
    ActivityRecord first = fixture.launch(a);
    fixture.start(first, b, Intent.FLAG_ACTIVITY_NEW_TASK);
    assertEquals("A B", fixture.names());
    b.taskAffinity = "elsewhere";
    fixture.start(first, b, Intent.FLAG_ACTIVITY_NEW_TASK);
    assertEquals("A B | B", fixture.names());
  }

  @Test
  public void newDocumentAlwaysMakesATask() {
    ActivityRecord first = fixture.launch(a);
    int flags = Intent.FLAG_ACTIVITY_NEW_TASK | Intent.FLAG_ACTIVITY_NEW_DOCUMENT;
    fixture.start(first, b, flags);
    assertEquals("A | B", fixture.names());
  }

  @Test
  public void theLauncherBringsATaskForwardAsItIs() {
    fixture.start(fixture.launch(a), b);
    fixture.launch(a);
    assertEquals("A B", fixture.names());
  }

  @Test
  public void anActivityWithoutHistoryFinishesWhenTheUserMovesOn() {
    a.flags |= ActivityInfo.FLAG_NO_HISTORY;
    fixture.start(fixture.launch(a), b);
    assertEquals("B", fixture.names());
  }

  @Test
  public void onlyARequestForAResultRemembersTheCaller() {
    ActivityRecord first = fixture.launch(a);
    assertSame(first, fixture.start(first, b, 7, new int[0]).resultTo);
    assertNull(fixture.start(first, b).resultTo);
  }

  @Test
  public void aForwardedResultGoesToTheCallersCaller() {
    ActivityRecord first = fixture.launch(a);
    ActivityRecord second = fixture.start(first, b, 7, new int[0]);
    ActivityRecord third = fixture.start(second, c, Intent.FLAG_ACTIVITY_FORWARD_RESULT);
    assertSame(first, third.resultTo);
    assertEquals(7, third.requestCode);
  }

  @Test
  public void resultsDoNotCrossTasks() {
    ActivityRecord first = fixture.launch(a);
    fixture.settle();
    int[] flags = {Intent.FLAG_ACTIVITY_NEW_TASK};
    ActivityRecord second = fixture.start(first, b, 7, flags);
    assertNull(second.resultTo);
    assertTrue(fixture.client.take().contains("1 results to A"));
  }
}
