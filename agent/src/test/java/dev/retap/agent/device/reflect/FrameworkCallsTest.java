// Calls by type: one call site fits parameter lists of several releases.
package dev.retap.agent.device.reflect;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.Test;

public class FrameworkCallsTest {
  @SuppressWarnings("unused")
  static class Base {
    private String name = "base";

    private static int count = 1;

    String describe(String text) {
      return "short " + text;
    }

    String describe(String text, int number, boolean flag) {
      return text + " " + number + " " + flag;
    }

    void fail() throws IOException {
      throw new IOException("from the method");
    }
  }

  @SuppressWarnings("unused")
  static class Derived extends Base {
    final String made;

    private Derived() {
      this("nothing");
    }

    private Derived(String made) {
      this.made = made;
    }
  }

  @Test
  public void parametersTakeTheFirstUnusedValueOfTheirType() {
    Class<?>[] types = {int.class, String.class, int.class, String.class};
    assertArrayEquals(
        new Object[] {1, "a", 2, "b"}, FrameworkCalls.arguments(types, "a", 1, "b", 2));
  }

  @Test
  public void parametersWithoutAValueAreZeroFalseOrNull() {
    Class<?>[] types = {long.class, boolean.class, List.class, char.class};
    assertArrayEquals(new Object[] {0L, false, null, '\0'}, FrameworkCalls.arguments(types, "a"));
  }

  @Test
  public void valuesThatNoParameterTakesAreLeftOut() {
    assertArrayEquals(
        new Object[] {"a"}, FrameworkCalls.arguments(new Class<?>[] {String.class}, 7, "a", "b"));
  }

  @Test
  public void theLongestOverloadIsCalled() {
    assertEquals("a 3 false", FrameworkCalls.call(new Derived(), "describe", "a", 3));
  }

  @Test
  public void theLongestConstructorIsCalled() {
    assertEquals("b", ((Derived) FrameworkCalls.construct(Derived.class, "b")).made);
  }

  @Test
  public void theEmptyConstructorIsCalledByName() {
    Derived made = (Derived) FrameworkCalls.constructEmpty(Derived.class.getName());
    assertEquals("nothing", made.made);
  }

  @Test
  public void exceptionsComeOutUnwrapped() {
    IOException thrown =
        assertThrows(IOException.class, () -> FrameworkCalls.call(new Base(), "fail"));
    assertEquals("from the method", thrown.getMessage());
  }

  @Test
  public void aMissingMemberIsNamed() {
    LinkageError method =
        assertThrows(LinkageError.class, () -> FrameworkCalls.call(new Base(), "gone"));
    assertTrue(method.getMessage().endsWith("$Base.gone"));
    assertThrows(LinkageError.class, () -> FrameworkCalls.type("android.Gone"));
    assertThrows(LinkageError.class, () -> FrameworkFields.get(new Base(), "gone"));
  }

  @Test
  public void voidHasNoDefaultValue() {
    assertNull(FrameworkCalls.zero(void.class));
    assertEquals(0, FrameworkCalls.zero(int.class));
  }

  @Test
  public void onlyPublicMethodsAreListed() {
    assertTrue(FrameworkCalls.hasMethod(String.class, "length"));
    assertFalse(FrameworkCalls.hasMethod(Base.class, "fail"));
  }

  @Test
  public void fieldsOfASuperclassAreReadAndWritten() {
    Derived target = new Derived();
    assertEquals("base", FrameworkFields.get(target, "name"));
    FrameworkFields.set(target, "name", "changed");
    assertEquals("changed", FrameworkFields.get(target, "name"));
  }

  @Test
  public void staticFieldsAreReadAndWritten() {
    FrameworkFields.setStatic(Base.class, "count", 5);
    assertEquals(5, FrameworkFields.getStatic(Derived.class, "count"));
  }
}
