// A crash reads as on a phone: without frames of reflection or of the host, causes folded.
package dev.retap.agent.device.outcome;

import static org.junit.Assert.assertEquals;

import dev.retap.agent.world.AppStatics;
import java.util.List;
import org.junit.Test;

public class StackTextTest {
  @Test
  public void theHostIsHiddenAndCommonFramesAreFolded() {
    RuntimeException outer = new RuntimeException("outer");
    IllegalStateException cause = new IllegalStateException("inner");
    outer.initCause(cause);
    StackTraceElement click =
        frame("android.view.View", "$$robo$$android_view_View$performClick", 10);
    StackTraceElement wrapper = frame("android.view.View", "performClick", -1);
    StackTraceElement reflection = frame("java.lang.reflect.Method", "invoke", 569);
    StackTraceElement accessor =
        frame("jdk.internal.reflect.GeneratedMethodAccessor7", "invoke", -1);
    StackTraceElement phone = frame("dev.retap.agent.device.EmbeddedPhone", "observe", 99);
    StackTraceElement below = frame("java.lang.Thread", "run", 840);
    outer.setStackTrace(
        new StackTraceElement[] {
          frame("app.Main", "open", 5), click, accessor, reflection, wrapper, phone, below
        });
    cause.setStackTrace(
        new StackTraceElement[] {
          frame("app.Main", "load", 7), click, accessor, reflection, wrapper, phone, below
        });
    assertEquals(
        """
        java.lang.RuntimeException: outer
        \tat app.Main.open(Main.java:5)
        \tat android.view.View.performClick(View.java:10)
        Caused by: java.lang.IllegalStateException: inner
        \tat app.Main.load(Main.java:7)
        \t... 1 more
        """,
        StackText.of(outer));
  }

  @Test
  public void whereTheJdkKeepsLettersIsNotShown() {
    StackTraceElement[] stack = {
      frame("java.lang.StringLatin1", "charAt", 48),
      frame("java.lang.String", "charAt", 1517),
      frame("app.Main", "open", 5)
    };
    assertEquals(
        List.of("java.lang.String.charAt(String.java:1517)", "app.Main.open(Main.java:5)"),
        StackText.frames(stack));
  }

  @Test
  public void anInitialiserHasItsOwnNameAndOneThatWaitsForItsParentHasNoFrame() {
    String statics = AppStatics.METHOD;
    StackTraceElement[] stack = {
      frame("app.Parent", statics, 3),
      frame("app.Child", statics, -1),
      frame("app.Main", "open", 5),
      frame("app.Main", statics, 9)
    };
    assertEquals(
        List.of(
            "app.Parent.<clinit>(Parent.java:3)",
            "app.Main.open(Main.java:5)",
            "app.Main.<clinit>(Main.java:9)"),
        StackText.frames(stack));
  }

  @Test
  public void allThatTheVirtualMachineSaysIsInAndroidsWords() {
    Throwable cause = new ArithmeticException("/ by zero");
    Throwable suppressed = new ArrayIndexOutOfBoundsException("Index 5 out of bounds for length 2");
    RuntimeException outer = new RuntimeException(cause);
    cause.addSuppressed(suppressed);
    for (Throwable each : List.of(outer, cause, suppressed)) {
      each.setStackTrace(new StackTraceElement[0]);
    }
    assertEquals(
        """
        java.lang.RuntimeException: java.lang.ArithmeticException: divide by zero
        Caused by: java.lang.ArithmeticException: divide by zero
        \tSuppressed: java.lang.ArrayIndexOutOfBoundsException: length=2; index=5
        """,
        StackText.of(outer));
  }

  @Test
  public void classesThatAreNotThereLeaveTheMessage() {
    Throwable thrown = new NullPointerException("Cannot invoke \"no.such.Type.method()\"");
    thrown.setStackTrace(new StackTraceElement[0]);
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(null);
    try {
      assertEquals(
          "java.lang.NullPointerException: Cannot invoke \"no.such.Type.method()\"\n",
          StackText.of(thrown));
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static StackTraceElement frame(String type, String method, int line) {
    return new StackTraceElement(
        type, method, type.substring(type.lastIndexOf('.') + 1) + ".java", line);
  }
}
