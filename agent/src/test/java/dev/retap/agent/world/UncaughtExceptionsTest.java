// Exceptions at the top of an app thread reach the listener, whatever handler the app sets.
package dev.retap.agent.world;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.junit.Test;

public final class UncaughtExceptionsTest {
  private final List<String> heard = new ArrayList<>();

  @After
  public void forgetListener() {
    UncaughtExceptions.setListener(null);
  }

  @Test
  public void anExceptionOnAnAppThreadIsHeardAndNoOtherHandlerRuns() {
    UncaughtExceptions.setListener((thread, cause) -> heard.add(cause.getMessage()));
    TestWorld.run(
        world -> {
          Thread thread = Thread.currentThread();
          assertTrue(UncaughtExceptions.report(thread, new IllegalStateException("of the app")));
        });
    assertEquals(List.of("of the app"), heard);
  }

  @Test
  public void aThreadOfTheAgentKeepsItsHandlers() {
    UncaughtExceptions.setListener((thread, cause) -> heard.add(cause.getMessage()));
    assertFalse(
        UncaughtExceptions.report(Thread.currentThread(), new IllegalStateException("of ours")));
    assertEquals(List.of(), heard);
  }

  @Test
  public void withoutAListenerNothingChanges() {
    TestWorld.run(
        world ->
            assertFalse(UncaughtExceptions.report(Thread.currentThread(), new Error("unheard"))));
  }
}
