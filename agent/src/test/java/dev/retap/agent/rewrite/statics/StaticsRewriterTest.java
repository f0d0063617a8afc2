package dev.retap.agent.rewrite.statics;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.world.AppStatics;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public final class StaticsRewriterTest {
  /** The initialisers and bodies that ran, in their order. Classes of the app write to it. */
  public static final List<String> RAN = new ArrayList<>();

  static final Class<?>[] APP = {
    Base.class,
    Derived.class,
    Plain.class,
    Loud.class,
    Counter.class,
    Color.class,
    Failing.class,
    User.class,
    Quiet.class
  };

  private Map<String, Class<?>> app;

  @Before
  public void load() throws Exception {
    RAN.clear();
    AppStatics.abandon();
    app = new HashMap<>();
    Loader loader = new Loader(0);
    for (Class<?> type : APP) {
      Class<?> rewritten = loader.loadClass(type.getName());
      AppStatics.loaded(rewritten);
      app.put(type.getSimpleName(), rewritten);
    }
  }

  @After
  public void forget() {
    AppStatics.abandon();
  }

  @Test
  public void aClassIsInitialisedAtItsFirstUseInEachProcess() throws Exception {
    for (int process = 0; process < 3; process++) {
      assertEquals(1, call("User", "count"));
      assertEquals(2, call("User", "count"));
      assertEquals(List.of("Counter"), RAN);
      RAN.clear();
      AppStatics.clear();
    }
  }

  @Test
  public void parentsAndInterfacesWithDefaultsComeFirst() throws Exception {
    call("User", "derive");
    assertEquals(List.of("Base", "Loud", "Derived", "argument", "made"), RAN);
    call("User", "derive");
    assertEquals(List.of("argument", "made"), RAN.subList(5, 7));
  }

  @Test
  public void aConstantInitialisesNothing() throws Exception {
    assertEquals("constant", call("User", "constant"));
    assertEquals(List.of(), RAN);
  }

  @Test
  public void fieldsWithoutInitialiserBeginAnew() throws Exception {
    assertEquals(8, call("User", "plain"));
    assertEquals(9, call("User", "plain"));
    AppStatics.clear();
    assertEquals(8, call("User", "plain"));
  }

  @Test
  public void constantsOfAnEnumAreMadeAnew() throws Exception {
    Object before = call("User", "green");
    assertEquals("GREEN", before.toString());
    assertEquals(2, ((Object[]) app.get("Color").getEnumConstants()).length);
    AppStatics.clear();
    Object after = call("User", "green");
    assertNotSame(before, after);
    assertEquals(after, app.get("Color").getEnumConstants()[1]);
  }

  @Test
  public void aFailureIsRememberedUntilTheProcessEnds() throws Exception {
    for (int process = 0; process < 2; process++) {
      assertEquals(ExceptionInInitializerError.class, failure("fail").getClass());
      assertEquals(NoClassDefFoundError.class, failure("fail").getClass());
      assertEquals(List.of("Failing"), RAN);
      RAN.clear();
      AppStatics.clear();
    }
  }

  @Test
  public void anotherProcessInitialisesItsOwnClasses() throws Exception {
    assertEquals(1, call("User", "count"));
    Class<?> other = new Loader(1).loadClass(User.class.getName());
    assertEquals(1, other.getMethod("count").invoke(null));
    assertEquals(2, call("User", "count"));
    assertEquals(List.of("Counter", "Counter"), RAN);
  }

  @Test
  public void aProcessThatEndsLeavesTheMainOneAlone() throws Exception {
    assertEquals(1, call("User", "count"));
    assertEquals(1, new Loader(1).loadClass(User.class.getName()).getMethod("count").invoke(null));
    AppStatics.forget(1);
    assertEquals(1, new Loader(1).loadClass(User.class.getName()).getMethod("count").invoke(null));
    assertEquals(2, call("User", "count"));
    assertEquals(List.of("Counter", "Counter", "Counter"), RAN);
  }

  @Test
  public void aClassWithNothingToInitialiseStaysAsItIs() throws Exception {
    AppHierarchy hierarchy = hierarchy();
    assertFalse(hierarchy.isInitialized(internalName(Quiet.class)));
    assertFalse(hierarchy.isInitialized(internalName(Plain.class)));
    assertTrue(hierarchy.isInitialized(internalName(Derived.class)));
    assertThrows(
        NoSuchMethodException.class,
        () -> app.get("Quiet").getMethod(AppStatics.METHOD, boolean.class));
  }

  private Object call(String type, String method) throws Exception {
    return app.get(type).getMethod(method).invoke(null);
  }

  private Throwable failure(String method) {
    return assertThrows(InvocationTargetException.class, () -> call("User", method)).getCause();
  }

  private static AppHierarchy hierarchy() throws IOException {
    List<byte[]> files = new ArrayList<>();
    for (Class<?> type : APP) {
      files.add(bytesOf(type.getName()));
    }
    return new AppHierarchy(files);
  }

  private static String internalName(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  private static byte[] bytesOf(String name) throws IOException {
    String file = "/" + name.replace('.', '/') + ".class";
    try (InputStream in = StaticsRewriterTest.class.getResourceAsStream(file)) {
      return in.readAllBytes();
    }
  }

  /** Loads the app's classes rewritten, and all others as they are. */
  private static final class Loader extends ClassLoader {
    private final AppHierarchy app = hierarchy();
    private final int process;

    Loader(int process) throws IOException {
      super(StaticsRewriterTest.class.getClassLoader());
      this.process = process;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      boolean isOfApp = List.of(APP).stream().anyMatch(type -> type.getName().equals(name));
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null || !isOfApp) {
        return loaded == null ? super.loadClass(name, resolve) : loaded;
      }
      try {
        byte[] rewritten = StaticsRewriter.rewrite(bytesOf(name), app);
        byte[] own = process == 0 ? rewritten : OtherProcessRewriter.rewrite(rewritten, process);
        return defineClass(name, own, 0, own.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  // ---- the app

  public static class Base {
    static {
      RAN.add("Base");
    }
  }

  public interface Loud {
    Object SOUND = RAN.add("Loud");

    default void shout() {}
  }

  public static class Derived extends Base implements Loud {
    static final Object MARK = RAN.add("Derived");
    static final String CONSTANT = "constant";

    public Derived(Object argument) {
      RAN.add("made");
    }
  }

  public static class Plain {
    static int value;
  }

  public static class Counter {
    static final List<Object> SEEN = new ArrayList<>();

    static {
      RAN.add("Counter");
    }
  }

  public enum Color {
    RED,
    GREEN
  }

  public static class Failing {
    static int value;

    static {
      RAN.add("Failing");
      value = Integer.parseInt("no number");
    }
  }

  public static class Quiet {
    static final int CONSTANT = 3;
  }

  public static class User {
    public static int count() {
      Counter.SEEN.add("x");
      return Counter.SEEN.size();
    }

    public static Object derive() {
      return new Derived(argument());
    }

    private static Object argument() {
      RAN.add("argument");
      return null;
    }

    public static String constant() {
      return Derived.CONSTANT;
    }

    public static int plain() {
      return 8 + Plain.value++;
    }

    public static Object green() {
      return Color.GREEN;
    }

    public static int fail() {
      return Failing.value;
    }
  }
}
