// Static initialisers of the app's classes. The app's classes outlive its process, so the JVM would
// initialise each of them only once. The app's rewritten code asks this class instead, which does
// what the JVM does at the first use of a class, once in each process: one thread runs the
// initialiser, others wait, a failure is remembered.
package dev.retap.agent.world;

import dev.retap.agent.world.memory.UnsafeMemory;
import java.io.ObjectStreamClass;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import sun.misc.Unsafe;

public final class AppStatics {
  /** The method that each rewritten class has: true initialises it, false clears its fields. */
  public static final String METHOD = "$retap$statics";

  /** The name of what it is made from. */
  private static final String INITIALIZER = "<clinit>";

  /** The most classes with initialisers that an app can have here. */
  public static final int MOST_CLASSES = 1 << 17;

  /** The processes that an app can have at a time, each with classes of its own. */
  public static final int MOST_PROCESSES = 4;

  /**
   * The classes that are initialised, by their numbers; those of another process than the main one
   * come {@link #MOST_CLASSES} later for each. Rewritten code reads this.
   */
  public static final boolean[] READY = new boolean[MOST_CLASSES * MOST_PROCESSES];

  private static final Initialization[] BEGUN = new Initialization[READY.length];

  /** A number above those of all classes that were initialised so far. */
  private static int end;

  private static final Unsafe UNSAFE = UnsafeMemory.unsafe();
  private static final String APP_LOADER = "dev.retap.agent.device.app.AppClassLoader";
  private static final MethodType TYPE = MethodType.methodType(void.class, boolean.class);
  private static final long[] CACHES = {
    offset("enumConstants"), offset("enumConstantDirectory"), offset("annotationData")
  };
  private static final long REFLECTION_CACHE = offset("reflectionData");

  /** The classes of the current loader. */
  private static final Set<Class<?>> LOADED = ConcurrentHashMap.newKeySet();

  /** The methods of those that needed them so far. */
  private static final Map<Class<?>, MethodHandle> METHODS = new ConcurrentHashMap<>();

  /** The method of a class that has nothing to initialise or clear. */
  private static final MethodHandle NOTHING =
      MethodHandles.empty(MethodType.methodType(void.class, boolean.class));

  private AppStatics() {}

  /** One initialisation of a class in one process. */
  private static final class Initialization {
    final Thread thread = Thread.currentThread();
    boolean isOver;
  }

  // ---- what the app's rewritten code calls

  /** Returns true if the caller has to run the initialiser. Waits while another thread does. */
  public static boolean begin(int number, Class<?> type) {
    Initialization begun;
    synchronized (BEGUN) {
      begun = BEGUN[number];
      if (begun == null) {
        BEGUN[number] = new Initialization();
        end = Math.max(end, number + 1);
        return true;
      }
    }
    if (begun.thread != Thread.currentThread()) {
      await(begun);
    }
    if (begun.isOver && !READY[number]) {
      throw new NoClassDefFoundError("Could not initialize class " + type.getName());
    }
    return false;
  }

  /** The same in another process than the main one; see {@link #READY}. */
  public static boolean begin(int number, Class<?> type, int process) {
    return begin(number + process * MOST_CLASSES, type);
  }

  public static void end(int number, int process) {
    end(number + process * MOST_CLASSES);
  }

  public static void fail(int number, Throwable thrown, int process) {
    fail(number + process * MOST_CLASSES, thrown);
  }

  /** Ends the initialisation of a class. */
  public static void end(int number) {
    READY[number] = true;
    leave(number);
  }

  /** Ends the initialisation of a class with what its initialiser threw. */
  public static void fail(int number, Throwable thrown) {
    leave(number);
    if (thrown instanceof Error error) {
      throw error;
    }
    throw new ExceptionInInitializerError(thrown);
  }

  /** Replaces StackTraceElement.getMethodName in the app, which may look for initialisers. */
  public static String methodName(StackTraceElement frame) {
    return frame.getMethodName().equals(METHOD) ? INITIALIZER : frame.getMethodName();
  }

  /** Replaces StackTraceElement.toString in the app. */
  public static String frameText(StackTraceElement frame) {
    return frame.toString().replace(METHOD, INITIALIZER);
  }

  /** Replaces Class.forName in the app, which initialises the class if asked to. */
  public static Class<?> forName(String name, boolean initialize, ClassLoader loader)
      throws ClassNotFoundException {
    Class<?> type = Class.forName(name, initialize, loader);
    return initialize ? initialized(type) : type;
  }

  /** Initialises the class as its first use does, and returns it. */
  public static Class<?> initialized(Class<?> type) {
    if (isOfApp(type)) {
      call(type, true);
    }
    return type;
  }

  // ---- hooks of the JDK

  /** Initialises the class of a static field that is reached by reflection. */
  public static void reached(Field field) {
    if (Modifier.isStatic(field.getModifiers())) {
      initialized(field.getDeclaringClass());
    }
  }

  /** Initialises the class of an object that is made without its constructor. */
  public static void made(Class<?> type) {
    initialized(type);
  }

  /** Initialises the class of an object that is read from a stream. */
  public static void made(ObjectStreamClass type) {
    if (type.forClass() != null) {
      initialized(type.forClass());
    }
  }

  /** Returns the methods without the one that rewriting added, and without those of the host. */
  public static Method[] visible(Method[] methods, Class<?> type) {
    if (type == Thread.class) {
      return ThreadGroups.visible(methods);
    }
    if (!isOfApp(type)) {
      return methods;
    }
    int kept = 0;
    Method[] visible = new Method[methods.length];
    for (Method method : methods) {
      if (!method.getName().equals(METHOD)) {
        visible[kept++] = method;
      }
    }
    return kept == methods.length ? methods : Arrays.copyOf(visible, kept);
  }

  // ---- the device

  /** Notes a class that the app has loaded. */
  public static void loaded(Class<?> type) {
    LOADED.add(type);
  }

  /** Makes every class as it was before its first use. */
  public static void clear() {
    for (Class<?> type : LOADED) {
      // What the JVM has not initialised was never used.
      if (UnsafeMemory.isInitialized(type)) {
        call(type, false);
      }
      clearCaches(type);
    }
    METHODS.keySet().retainAll(LOADED);
    forget();
  }

  /** Forgets the classes of a process, other than the main one, that has ended. */
  public static void forget(int process) {
    int first = process * MOST_CLASSES;
    synchronized (BEGUN) {
      Arrays.fill(READY, first, first + MOST_CLASSES, false);
      Arrays.fill(BEGUN, first, first + MOST_CLASSES, null);
    }
    METHODS.keySet().retainAll(LOADED);
  }

  /** Forgets the classes of a loader that is not used any more. */
  public static void abandon() {
    LOADED.clear();
    METHODS.clear();
    forget();
  }

  private static void forget() {
    synchronized (BEGUN) {
      Arrays.fill(READY, 0, end, false);
      Arrays.fill(BEGUN, 0, end, null);
    }
  }

  /** Empties what the JDK remembers of a class and what holds objects of its former process. */
  private static void clearCaches(Class<?> type) {
    for (long cache : CACHES) {
      UNSAFE.putObjectVolatile(type, cache, null);
    }
    UNSAFE.putObjectVolatile(type, REFLECTION_CACHE, null);
  }

  private static void await(Initialization begun) {
    boolean interrupted = false;
    synchronized (begun) {
      while (!begun.isOver) {
        try {
          Blocking.await(begun);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void leave(int number) {
    Initialization begun;
    synchronized (BEGUN) {
      begun = BEGUN[number];
    }
    if (begun != null) {
      synchronized (begun) {
        begun.isOver = true;
        Blocking.notifyEvery(begun);
      }
    }
  }

  private static boolean isOfApp(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader != null && loader.getClass().getName().equals(APP_LOADER);
  }

  private static MethodHandle find(Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(type, MethodHandles.lookup())
          .findStatic(type, METHOD, TYPE);
    } catch (NoSuchMethodException e) {
      return NOTHING;
    } catch (IllegalAccessException e) {
      throw new LinkageError("static fields of " + type.getName(), e);
    }
  }

  private static void call(Class<?> type, boolean initialize) {
    MethodHandle method = METHODS.computeIfAbsent(type, AppStatics::find);
    try {
      method.invokeExact(initialize);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new LinkageError("static initialiser", e);
    }
  }

  private static long offset(String field) {
    try {
      return UNSAFE.objectFieldOffset(Class.class.getDeclaredField(field));
    } catch (NoSuchFieldException e) {
      throw new LinkageError("this JDK's classes have no " + field, e);
    }
  }
}
