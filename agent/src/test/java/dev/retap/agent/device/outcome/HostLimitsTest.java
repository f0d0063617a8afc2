// Each kind of host limitation, however it is wrapped, and the similar failures that are crashes
// of the app.
package dev.retap.agent.device.outcome;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;

import dev.retap.agent.world.MissingCalls;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.ExecutionException;
import org.junit.Test;

public class HostLimitsTest {
  private static final String APP = "com.example.Main";
  private static final String SHADOW = "org.robolectric.shadows.ShadowFoo";

  @Test
  public void reflectionThatOnlyTheJdkRefusesIsALimitation() {
    InaccessibleObjectException closed = new InaccessibleObjectException("module java.base");
    assertEquals("reflection", HostLimits.of(at(closed, APP)).kind());
  }

  @Test
  public void aMissingNativeMethodOfTheFrameworkIsAHostLimitation() {
    Throwable cause =
        at(new UnsatisfiedLinkError("'void android.media.X.play()'"), "android.media.X");
    assertEquals("native method", kind(new RuntimeException("wrapped", cause)));
  }

  @Test
  public void aCallThatNobodyPlaysIsNamedHoweverItIsWrapped() {
    Throwable refused = at(MissingCalls.refuse("com.example.Codec.decode"), APP);
    Throwable suppressing = new IllegalStateException("closing");
    suppressing.addSuppressed(refused);
    Throwable[] wraps = {
      refused,
      new RuntimeException(refused),
      new RuntimeException("could not start: " + refused),
      new RuntimeException("Unable to create", new IllegalStateException(refused)),
      new InvocationTargetException(refused),
      new UndeclaredThrowableException(refused),
      new ExecutionException(refused),
      new ExceptionInInitializerError(refused),
      suppressing,
    };
    for (Throwable wrap : wraps) {
      assertNotNull(wrap.toString(), HostLimits.of(wrap));
      assertEquals("native method", HostLimits.of(wrap).kind());
      assertEquals("com.example.Codec.decode", HostLimits.of(wrap).detail());
    }
  }

  @Test
  public void aMissingLibraryIsACrashOfTheApp() {
    String message = "dalvik.system.PathClassLoader[DexPathList[]] couldn't find \"libx.so\"";
    assertNull(HostLimits.of(at(new UnsatisfiedLinkError(message), APP)));
  }

  @Test
  public void aMethodThatCouldNotBeTranslatedIsAHostLimitation() {
    assertEquals("translation", kind(at(new RuntimeException("d2j fail translate: x"), APP)));
  }

  @Test
  public void aNullFromABinderInterfaceInsideTheFrameworkIsAHostLimitation() {
    String message =
        "Cannot invoke \"x()\" because the return value of \"android.os.IFoo.get()\" is null";
    assertEquals("service", kind(at(new NullPointerException(message), "android.os.Foo")));
    assertNull(HostLimits.of(at(new NullPointerException(message), APP)));
  }

  @Test
  public void aFaultOfAShadowNamesTheShadowAndTheMethodThatItPlays() {
    Throwable thrown = new NullPointerException("x");
    thrown.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("java.util.Objects", "requireNonNull", "Objects.java", 1),
          new StackTraceElement(SHADOW, "bar", "ShadowFoo.java", 2),
          new StackTraceElement("android.foo.Foo", "bar", null, -1),
          new StackTraceElement(APP, "onClick", "Main.java", 3)
        });
    assertEquals("stand-in", kind(thrown));
    assertEquals(
        "java.lang.NullPointerException: x at " + SHADOW + ".bar for android.foo.Foo.bar",
        HostLimits.of(new IllegalStateException(thrown)).detail());
  }

  @Test
  public void faultsOfAShadowAreHostLimitationsAndThoseOfTheAppAreNot() {
    Throwable[] faults = {
      new NullPointerException("x"),
      new ArrayIndexOutOfBoundsException(4),
      new ClassCastException("a"),
      new UnsupportedOperationException(),
      new NoSuchFieldException("mFoo"),
      new AssertionError(),
      new RuntimeException("x"),
    };
    for (Throwable fault : faults) {
      assertEquals("stand-in", kind(at(fault, SHADOW)));
      assertEquals("stand-in", kind(at(fault, "dev.retap.agent.device.binder.BinderStub")));
      assertNull(HostLimits.of(at(fault, APP)));
      assertNull(HostLimits.of(at(fault, "android.view.View")));
    }
  }

  @Test
  public void anExceptionThatNamesAStandInIsAHostLimitation() {
    assertEquals(
        "stand-in",
        kind(at(new ClassCastException("class " + SHADOW + " cannot be cast to class a.B"), APP)));
  }

  @Test
  public void theJvmsNoteOnClassLoadersDoesNotNameAStandIn() {
    String message =
        "class a.A cannot be cast to class a.B (a.A and a.B are in unnamed module of loader"
            + " dev.retap.agent.device.app.AppClassLoader @4f3f5b24)";
    assertNull(HostLimits.of(at(new ClassCastException(message), APP)));
  }

  @Test
  public void aFaultInAReplacedCallIsThatOfItsCaller() {
    for (String replaced :
        new String[] {"dev.retap.agent.device.app.AppFiles", "dev.retap.agent.world.Blocking"}) {
      Throwable thrown = new NullPointerException("x");
      thrown.setStackTrace(
          new StackTraceElement[] {
            new StackTraceElement(replaced, "list", "AppFiles.java", 1),
            new StackTraceElement(APP, "onClick", "Main.java", 2)
          });
      assertNull(HostLimits.of(thrown));
    }
  }

  @Test
  public void codeThatReplacesTheJdksFailsByItself() {
    String reader = "dev.retap.agent.world.libcore.IcuReader";
    String socket = "dev.retap.agent.world.net.PhoneSocket";
    String because = "Cannot invoke \"x()\" because ";
    Throwable[] faults = {
      at(new StringIndexOutOfBoundsException("index 3, length 3"), reader),
      at(new ClassCastException("a"), socket),
      at(new java.util.ConcurrentModificationException(), socket),
      at(new RuntimeException("x"), socket),
      at(new NullPointerException(because + "\"this.queue\" is null"), socket),
      at(new NullPointerException(because + "\"Network.guard\" is null"), socket),
      at(new NullPointerException(because + "the return value of \"a.B.c()\" is null"), socket),
    };
    for (Throwable fault : faults) {
      assertEquals(fault.toString(), "stand-in", kind(new IllegalStateException(fault)));
    }
  }

  @Test
  public void whatTheAppPassesToItIsTheAppsFault() {
    String socket = "dev.retap.agent.world.net.PhoneSocket";
    String because = "Cannot invoke \"x()\" because ";
    Throwable[] answers = {
      at(new NullPointerException(because + "\"monitor\" is null"), socket),
      at(new NullPointerException("text == null"), "dev.retap.agent.world.libcore.IcuPattern"),
      at(new ArrayIndexOutOfBoundsException(4), socket),
      at(new IllegalArgumentException("timeout value is negative"), socket),
      at(new UnsupportedOperationException("CANON_EQ flag not supported"), socket),
      at(new java.io.FileNotFoundException("x: open failed: ENOENT"), socket),
    };
    for (Throwable answer : answers) {
      assertNull(answer.toString(), HostLimits.of(answer));
    }
  }

  @Test
  public void aNullFromTheAppsOwnMethodIsACrash() {
    String message =
        "Cannot invoke \"x()\" because the return value of \"com.example.Foo.get()\" is null";
    assertNull(HostLimits.of(at(new NullPointerException(message), APP)));
  }

  @Test
  public void anExceptionThatAShadowThrowsOnPurposeIsACrash() {
    assertNull(HostLimits.of(at(new IllegalStateException("not prepared"), SHADOW)));
    assertNull(HostLimits.of(at(new SecurityException("no permission"), SHADOW)));
  }

  @Test
  public void aClassMissingFromTheAppIsACrash() {
    String loader = "dev.retap.agent.device.app.AppClassLoader";
    Throwable missing = at(new ClassNotFoundException("com.example.Gone"), loader);
    assertNull(HostLimits.of(missing));
    Throwable linked = at(new NoClassDefFoundError("com/example/Gone"), APP);
    linked.initCause(missing);
    assertNull(HostLimits.of(linked));
    assertNull(HostLimits.of(at(new NoClassDefFoundError("android/support/v4/app/X"), APP)));
    assertNull(HostLimits.of(at(new ClassNotFoundException("android.view.NewerView"), loader)));
    assertNull(HostLimits.of(at(new ClassNotFoundException("java.awt.Color"), loader)));
  }

  @Test
  public void aClassOfAPhoneThatIsMissingHereIsAHostLimitation() {
    assertEquals("class", kind(at(new NoClassDefFoundError("dalvik/system/Gone"), APP)));
    assertEquals("class", kind(at(new ClassNotFoundException("libcore.io.Gone"), APP)));
    assertEquals("class", kind(at(new ClassNotFoundException("com.android.org.x.Y"), APP)));
  }

  @Test
  public void aMethodOfANewerAndroidIsACrashAndOneOfLibcoreIsNot() {
    String newer = "'void android.view.View.setTooltip(java.lang.String)'";
    assertNull(HostLimits.of(at(new NoSuchMethodError(newer), APP)));
    assertEquals(
        "framework method",
        kind(at(new NoSuchMethodError("'void java.lang.Thread.parkFor(long)'"), APP)));
    assertEquals("framework method", kind(at(new NoSuchMethodError(newer), "android.view.View")));
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
