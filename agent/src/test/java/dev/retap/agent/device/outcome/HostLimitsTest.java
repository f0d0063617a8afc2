// Each kind of host limitation, and the similar failures that are crashes of the app.
package dev.retap.agent.device.outcome;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import org.junit.Test;

public class HostLimitsTest {
  @Test
  public void aMissingNativeMethodOfTheFrameworkIsAHostLimitation() {
    Throwable cause =
        at(new UnsatisfiedLinkError("'void android.media.X.play()'"), "android.media.X");
    assertEquals("native method", kind(new RuntimeException("wrapped", cause)));
  }

  @Test
  public void aMissingLibraryOfTheAppHasItsOwnKind() {
    assertEquals(
        "native library", kind(at(new UnsatisfiedLinkError("no foo in path"), "com.example.Main")));
  }

  @Test
  public void aMethodThatCouldNotBeTranslatedIsAHostLimitation() {
    assertEquals(
        "translation", kind(at(new RuntimeException("d2j fail translate: x"), "com.example.Main")));
  }

  @Test
  public void aNullFromABinderInterfaceInsideTheFrameworkIsAHostLimitation() {
    String message =
        "Cannot invoke \"x()\" because the return value of \"android.os.IFoo.get()\" is null";
    assertEquals("service", kind(at(new NullPointerException(message), "android.os.Foo")));
    assertNull(HostLimits.of(at(new NullPointerException(message), "com.example.Main")));
  }

  @Test
  public void aNullPointerInAShadowIsAHostLimitation() {
    assertEquals(
        "stand-in", kind(at(new NullPointerException("x"), "org.robolectric.shadows.ShadowFoo")));
  }

  @Test
  public void aWrongIndexInAShadowIsAHostLimitation() {
    assertEquals(
        "stand-in",
        kind(at(new ArrayIndexOutOfBoundsException(4), "org.robolectric.shadows.ShadowFoo")));
    assertNull(HostLimits.of(at(new ArrayIndexOutOfBoundsException(4), "com.example.Main")));
    assertNull(HostLimits.of(at(new ArrayIndexOutOfBoundsException(4), "android.view.View")));
  }

  @Test
  public void aNullFromTheAppsOwnMethodIsACrash() {
    String message =
        "Cannot invoke \"x()\" because the return value of \"com.example.Foo.get()\" is null";
    assertNull(HostLimits.of(at(new NullPointerException(message), "com.example.Main")));
  }

  @Test
  public void anExceptionThatAShadowThrowsOnPurposeIsACrash() {
    assertNull(
        HostLimits.of(
            at(new IllegalStateException("not prepared"), "org.robolectric.shadows.ShadowFoo")));
  }

  @Test
  public void aNullPointerOfTheAppIsACrash() {
    assertNull(HostLimits.of(at(new NullPointerException("x"), "com.example.Main")));
    assertNull(HostLimits.of(at(new NullPointerException("x"), "android.view.View")));
  }

  @Test
  public void aClassMissingFromTheAppIsACrash() {
    assertNull(HostLimits.of(at(new NoClassDefFoundError("com/example/Gone"), "com.example.Main")));
  }

  private static String kind(Throwable thrown) {
    return HostLimits.of(thrown).kind();
  }

  private static <T extends Throwable> T at(T thrown, String className) {
    thrown.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("java.lang.Helper", "help", "Helper.java", 1),
          new StackTraceElement(className, "method", "File.java", 2)
        });
    return thrown;
  }
}
