// A native method that nobody plays fails on the app's threads and answers nothing elsewhere.
package dev.retap.agent.shadow;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import dev.retap.agent.world.MissingCalls;
import dev.retap.agent.world.TestWorld;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.junit.Test;

public final class UnplayedNativesTest {
  static int size(String of) {
    return 0;
  }

  static void poke() {}

  @Test
  public void theCallIsNamedAndFails() throws Throwable {
    MethodHandle bound = UnplayedNatives.bind(UnplayedNativesTest.class, "size", find("size"));
    assertEquals(0, (int) bound.invokeExact("x"));
    TestWorld.run(
        1,
        world -> {
          MissingCalls.forget();
          UnsatisfiedLinkError error =
              assertThrows(UnsatisfiedLinkError.class, () -> bound.invoke("x"));
          String call = UnplayedNativesTest.class.getName() + ".size";
          assertEquals(MissingCalls.MESSAGE + call, error.getMessage());
          assertEquals(List.of(call), MissingCalls.drainStep());
          assertEquals(List.of(), MissingCalls.drainStep());
          assertEquals(List.of(call), MissingCalls.inProcess());
        });
  }

  @Test
  public void aCallWithoutAnAnswerIsHarmless() throws Throwable {
    MethodHandle poke = find("poke");
    assertSame(poke, UnplayedNatives.bind(UnplayedNativesTest.class, "poke", poke));
  }

  private static MethodHandle find(String name) throws ReflectiveOperationException {
    MethodType type =
        name.equals("size")
            ? MethodType.methodType(int.class, String.class)
            : MethodType.methodType(void.class);
    return MethodHandles.lookup().findStatic(UnplayedNativesTest.class, name, type);
  }
}
