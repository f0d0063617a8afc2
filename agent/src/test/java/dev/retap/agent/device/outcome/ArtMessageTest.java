// Wrong numbers, indices and casts are told in Android's words.
package dev.retap.agent.device.outcome;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.ArrayList;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;

public final class ArtMessageTest {
  private int zero;
  private Object number = 5;

  @Test
  public void wrongValuesAreTold() {
    assertEquals("divide by zero", ofValue(ArithmeticException.class, () -> zero = 1 / zero));
    assertEquals(
        "length=2; index=5",
        ofValue(ArrayIndexOutOfBoundsException.class, () -> zero = new int[2].clone()[5 + zero]));
    assertEquals(
        "java.lang.Integer cannot be cast to java.lang.String[]",
        ofValue(ClassCastException.class, () -> number = (String[]) number));
    assertEquals(
        "int[][] cannot be cast to java.lang.String",
        ArtMessage.ofValue(
            new ClassCastException(), "class [[I cannot be cast to class java.lang.String (x)"));
  }

  @Test
  public void listsHaveTheirOldWords() {
    Exception thrown =
        assertThrows(IndexOutOfBoundsException.class, () -> new ArrayList<>().get(3));
    assertEquals("Index: 3, Size: 0", ArtMessage.ofList(thrown.getMessage()));
  }

  private static <T extends Throwable> String ofValue(Class<T> type, ThrowingRunnable code) {
    T thrown = assertThrows(type, code);
    return ArtMessage.ofValue(thrown, thrown.getMessage());
  }
}
