// The order of tasks and activities.
package dev.retap.agent.device.system.activity;

import static dev.retap.agent.device.system.activity.StackFixture.declare;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;

import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.os.Binder;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;

@RunWith(RobolectricTestRunner.class)
@Config(sdk = 30)
public class BackStackTest {
  private final BackStack stack = new BackStack(new ArrayList<>());

  @Test
  public void anEmptyStackHasNoTop() {
    assertNull(stack.top());
    assertEquals(List.of(), stack.all());
  }

  @Test
  public void theTopOfAnEmptyTaskIsThatOfTheTaskBelow() {
    ActivityRecord below = add(task("one"), "A");
    task("two");
    assertSame(below, stack.top());
  }

  @Test
  public void tasksMoveToFrontAndBack() {
    Task one = task("one");
    Task two = task("two");
    stack.toFront(one);
    assertEquals(List.of(two, one), stack.tasks);
    stack.toBack(one);
    assertEquals(List.of(one, two), stack.tasks);
  }

  @Test
  public void aTaskThatIsNotOnTheStackStaysOffIt() {
    stack.toBack(stack.newTask("one"));
    assertEquals(List.of(), stack.tasks);
  }

  @Test
  public void aTaskGoesWithItsLastActivity() {
    Task one = task("one");
    ActivityRecord first = add(one, "A");
    ActivityRecord second = add(one, "B");
    stack.remove(second);
    assertEquals(List.of(one), stack.tasks);
    stack.remove(first);
    assertEquals(List.of(), stack.tasks);
  }

  @Test
  public void activitiesAboveComeTopFirst() {
    Task one = task("one");
    ActivityRecord first = add(one, "A");
    ActivityRecord second = add(one, "B");
    ActivityRecord third = add(one, "C");
    assertEquals(List.of(third, second), BackStack.above(first));
    assertEquals(List.of(), BackStack.above(third));
  }

  @Test
  public void theTopmostOfSeveralInstancesIsFound() {
    Task one = task("one");
    add(one, "A");
    ActivityRecord second = add(one, "A");
    assertSame(second, BackStack.find(one, declare("A")));
    assertNull(BackStack.find(one, declare("B")));
  }

  @Test
  public void recordsAreFoundByToken() {
    ActivityRecord first = add(task("one"), "A");
    assertSame(first, stack.record(first.token));
    assertNull(stack.record(new Binder()));
    assertNull(stack.record(null));
  }

  @Test
  public void aNewProcessTakesOverTheTasksOfTheFormer() {
    Task one = task("one");
    ActivityRecord first = add(one, "A");
    first.stage = ActivityRecord.Stage.STOPPED;
    BackStack next = new BackStack(stack.tasks);
    assertEquals(ActivityRecord.Stage.NONE, first.stage);
    assertEquals(one.id + 1, next.newTask("two").id);
  }

  private Task task(String affinity) {
    Task task = stack.newTask(affinity);
    stack.toFront(task);
    return task;
  }

  private static ActivityRecord add(Task task, String name) {
    ActivityInfo info = declare(name);
    ActivityRecord record = new ActivityRecord(new Intent(), info, null, null, -1);
    record.task = task;
    task.activities.add(record);
    return record;
  }
}
