package dev.retap.agent.host;

import static org.junit.Assert.assertEquals;

import java.util.Iterator;
import java.util.List;
import org.junit.Test;

public class StableStackTest {
  private static final String CLICK = "android.view.View.performClick(View.java:7140)";

  @Test
  public void aThreadThatStandsStillKeepsItsWholeStack() {
    List<String> stack = List.of("a.A.wait(A.java:3)", CLICK);
    assertEquals(stack, StableStack.take(() -> stack));
  }

  @Test
  public void framesAboveTheLoopAreLeftOut() {
    List<String> one =
        List.of("b.B.next(B.java:1)", "b.B.query(B.java:9)", "a.A.go(A.java:5)", CLICK);
    List<String> other = List.of("c.C.join(C.java:2)", "a.A.go(A.java:5)", CLICK);
    assertEquals(List.of("a.A.go(A.java:5)", CLICK), StableStack.common(one, other));
  }

  @Test
  public void theMethodOfTheLoopStaysWithoutItsLine() {
    List<String> one = List.of("a.A.go(A.java:5)", CLICK);
    List<String> other = List.of("b.B.next(B.java:1)", "a.A.go(A.java:6)", CLICK);
    assertEquals(List.of("a.A.go(A.java)", CLICK), StableStack.common(one, other));
    assertEquals(
        List.of("a.A.go(A.java)", CLICK),
        StableStack.common(List.of("a.A.go(A.java)", CLICK), other));
  }

  @Test
  public void aShorterLookIsCommonWithALongerOne() {
    List<String> deep = List.of("a.A.go(A.java:5)", CLICK);
    assertEquals(List.of(CLICK), StableStack.common(deep, List.of(CLICK)));
    assertEquals(List.of(CLICK), StableStack.common(List.of(CLICK), deep));
  }

  @Test
  public void aThreadIsLookedAtSeveralTimes() {
    Iterator<String> lines =
        java.util.stream.IntStream.range(1, 100).mapToObj(i -> "" + i).iterator();
    assertEquals(
        List.of("a.A.go(A.java)", CLICK),
        StableStack.take(() -> List.of("a.A.go(A.java:" + lines.next() + ")", CLICK)));
  }
}
