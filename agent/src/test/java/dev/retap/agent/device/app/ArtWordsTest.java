// Exceptions of the virtual machine are told in Android's words.
package dev.retap.agent.device.app;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public final class ArtWordsTest {
  private int[] none;
  private String text;
  private List<String> list;
  private StringBuilder[] builders = {null};
  private int zero;
  private Object number = 5;

  @Test
  public void callsOnNullNameTheMethod() {
    assertEquals(
        "Attempt to invoke virtual method 'int java.lang.String.length()' on a null object"
            + " reference",
        ofNull(() -> text.length()));
    assertEquals(
        "Attempt to invoke interface method 'boolean java.util.List.add(java.lang.Object)' on a"
            + " null object reference",
        ofNull(() -> list.add("x")));
    assertEquals(
        "Attempt to invoke virtual method 'java.lang.StringBuilder"
            + " java.lang.StringBuilder.append(char[], int, int)' on a null object reference",
        ofNull(() -> builders[0].append(new char[1], 0, 1)));
    assertEquals(
        "Attempt to invoke virtual method 'java.lang.Class java.lang.String.getClass()' on a null"
            + " object reference",
        ArtWords.ofNull("Cannot invoke \"String.getClass()\" because \"x\" is null", loader()));
  }

  @Test
  public void arraysThatAreNullAreToldByWhatWasTried() {
    assertEquals(
        "Attempt to get length of null array", ofNull(() -> System.out.print(none.length)));
    assertEquals("Attempt to read from null array", ofNull(() -> System.out.print(none[1])));
    assertEquals("Attempt to write to null array", ofNull(() -> none[1] = 2));
  }

  @Test
  public void whatCannotBeTranslatedStays() {
    for (String message :
        new String[] {
          "Cannot read field \"x\" because \"y\" is null",
          "Cannot invoke \"no.such.Type.method()\"",
          "Cannot invoke \"String.noSuchMethod()\"",
          "of the app"
        }) {
      assertEquals(message, ArtWords.ofNull(message, loader()));
    }
  }

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
        ArtWords.ofValue(
            new ClassCastException(), "class [[I cannot be cast to class java.lang.String (x)"));
  }

  @Test
  public void listsHaveTheirOldWords() {
    Exception thrown =
        assertThrows(IndexOutOfBoundsException.class, () -> new ArrayList<>().get(3));
    assertEquals("Index: 3, Size: 0", ArtWords.ofList(thrown.getMessage()));
  }

  @Test
  public void exceptionsOfTheAppAreNotTouched() {
    assertEquals("/ by zero", ArtWords.getMessage(new IllegalStateException("/ by zero")));
    assertEquals(null, ArtWords.getMessage(new NullPointerException()));
    assertEquals(
        "java.lang.IllegalStateException: x", ArtWords.toString(new IllegalStateException("x")));
  }

  private static String ofNull(org.junit.function.ThrowingRunnable code) {
    return ArtWords.ofNull(assertThrows(NullPointerException.class, code).getMessage(), loader());
  }

  private static <T extends Throwable> String ofValue(
      Class<T> type, org.junit.function.ThrowingRunnable code) {
    T thrown = assertThrows(type, code);
    return ArtWords.ofValue(thrown, thrown.getMessage());
  }

  private static ClassLoader loader() {
    return ArtWordsTest.class.getClassLoader();
  }
}
