// A field of null is told with its class and type, and from level 33 on with the method.
package dev.retap.agent.device.outcome;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import org.junit.Test;
import org.junit.function.ThrowingRunnable;

public final class FieldMessageTest {
  private static final String OWN = FieldMessageTest.class.getName();

  private static class Base {
    int[] numbers;
  }

  private static final class Node extends Base {
    Node next;
    String numbersOfOthers;

    Node(Node other, long time) {
      next = other.next;
    }
  }

  private static final class Other {
    Node next;
  }

  private Node node;
  private Other other;

  private void assign(int[] numbers) {
    node.numbers = numbers;
  }

  private Object readEither(boolean isOther) {
    return isOther ? other.next : node.next;
  }

  @Test
  public void aReadNamesTheFieldAndFromLevel33OnTheMethod() {
    ThrowingRunnable code = () -> new Node(null, 5);
    String old =
        "Attempt to read from field '%1$s$Node %1$s$Node.next' on a null object reference"
            .formatted(OWN);
    assertEquals(old, ofField(32, code));
    assertEquals(
        old + " in method 'void %1$s$Node.<init>(%1$s$Node, long)'".formatted(OWN),
        ofField(33, code));
  }

  @Test
  public void aWriteNamesTheParentThatDeclaresTheField() {
    assertEquals(
        "Attempt to write to field 'int[] %1$s$Base.numbers' on a null object reference in method 'void %1$s.assign(int[])'"
            .formatted(OWN),
        ofField(35, () -> assign(null)));
  }

  @Test
  public void aLineWithTwoSuchFieldsIsNotTranslated() {
    assertEquals(
        "Cannot read field \"next\" because \"this.node\" is null",
        ofField(35, () -> readEither(false)));
  }

  @Test
  public void aLineWithoutSuchAFieldIsNotTranslated() throws ClassNotFoundException {
    String message = "Cannot read field \"next\" because \"this.node\" is null";
    for (StackTraceElement frame :
        new StackTraceElement[] {
          new StackTraceElement(OWN, "readEither", "Main.java", 1),
          new StackTraceElement(OWN, "noSuchMethod", "Main.java", -1),
          new StackTraceElement("no.such.Type", "method", "Main.java", -1)
        }) {
      assertEquals(message, FieldMessage.of(message, frame, loader(), 35));
    }
  }

  @Test
  public void codeWithoutLinesIsSearchedAsAWhole() throws ClassNotFoundException {
    StackTraceElement frame = new StackTraceElement(OWN, "assign", null, -1);
    assertEquals(
        "Attempt to write to field 'int[] %s$Base.numbers' on a null object reference"
            .formatted(OWN),
        FieldMessage.of("Cannot assign field \"numbers\" because", frame, loader(), 23));
  }

  @Test
  public void aLoaderGivesTheCodeOfItsOwnClasses() throws Exception {
    byte[] code = ClassFiles.read(loader(), Node.class.getName());
    StackTraceElement frame = new StackTraceElement("renamed.Node", "<init>", null, -1);
    assertEquals(
        "Attempt to read from field '%1$s$Node %1$s$Node.next' on a null object reference"
            .formatted(OWN),
        FieldMessage.of("Cannot read field \"next\"", frame, new Renamed(code), 23));
  }

  /** Finds one class file by another name. */
  private static final class Renamed extends ClassLoader implements ClassFiles {
    private final byte[] code;

    Renamed(byte[] code) {
      super(loader());
      this.code = code;
    }

    @Override
    public byte[] classFile(String name) {
      return name.equals("renamed.Node") ? code : null;
    }
  }

  private static String ofField(int level, ThrowingRunnable code) {
    Throwable thrown = assertThrows(NullPointerException.class, code);
    return NullMessage.of(thrown.getMessage(), thrown.getStackTrace(), loader(), level);
  }

  private static ClassLoader loader() {
    return FieldMessageTest.class.getClassLoader();
  }
}
