// A native method that nobody plays fails if the app called its class, and answers nothing
// elsewhere.
package dev.retap.agent.shadow;

import static org.junit.Assert.assertEquals;

import dev.retap.agent.world.MissingCalls;
import dev.retap.agent.world.TestWorld;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.function.Supplier;
import org.junit.Test;

public final class UnplayedNativesTest {
  private static final String CALL = Service.class.getName() + ".size";

  /** Plays a class of the framework. */
  public static final class Service {
    static final MethodHandle SIZE =
        UnplayedNatives.bind(Service.class, "size", find("size", int.class, String.class));

    static int size(String of) {
      return 0;
    }

    static void poke() {
      throw new UnsatisfiedLinkError("poke");
    }

    /** Calls the native method as the framework does. */
    public static String measure() {
      try {
        return "size " + (int) SIZE.invoke("x");
      } catch (Throwable thrown) {
        return thrown.getMessage();
      }
    }
  }

  /** Loads the app's class anew, below the loader of the framework. */
  private static final class AppLoader extends ClassLoader {
    AppLoader() {
      super(UnplayedNativesTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.equals(UnplayedNativesCaller.class.getName())) {
        return super.loadClass(name, resolve);
      }
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  @Test
  public void theAppsCallIsNamedAndFails() {
    TestWorld.run(
        1,
        world -> {
          MissingCalls.forget();
          assertEquals(MissingCalls.MESSAGE + CALL, callFrom(new AppLoader()));
          assertEquals(List.of(CALL), MissingCalls.drainStep());
          assertEquals(List.of(CALL), MissingCalls.inProcess());
        });
  }

  @Test
  public void aCallOfTheFrameworkGoesOnAndIsKnown() {
    TestWorld.run(
        1,
        world -> {
          MissingCalls.forget();
          assertEquals("size 0", Service.measure());
          assertEquals(List.of(CALL), MissingCalls.nullsInStep());
          assertEquals(List.of(), MissingCalls.drainStep());
        });
    assertEquals("size 0", Service.measure());
  }

  @Test
  public void aCallWithoutAnAnswerIsHarmless() throws Throwable {
    UnplayedNatives.bind(Service.class, "poke", find("poke", void.class)).invoke();
  }

  private static String callFrom(ClassLoader loader) throws ReflectiveOperationException {
    Class<?> type = loader.loadClass(UnplayedNativesCaller.class.getName());
    return (String) ((Supplier<?>) type.getConstructor().newInstance()).get();
  }

  private static MethodHandle find(String name, Class<?> returned, Class<?>... taken) {
    try {
      return MethodHandles.lookup()
          .findStatic(Service.class, name, MethodType.methodType(returned, taken));
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
