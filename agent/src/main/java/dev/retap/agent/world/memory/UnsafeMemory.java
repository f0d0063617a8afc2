// Access to raw memory through the JDK's Unsafe, for values that the JVM keeps and the seed must
// decide.
package dev.retap.agent.world.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import sun.misc.Unsafe;

public final class UnsafeMemory {
  private static final MethodHandle NEEDS_INITIALIZATION = initializationTest();

  private UnsafeMemory() {}

  public static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this JDK hides its Unsafe", e);
    }
  }

  /** Returns the offset of a field that the class itself declares. */
  public static long offset(Class<?> type, String field) {
    try {
      return unsafe().objectFieldOffset(type.getDeclaredField(field));
    } catch (NoSuchFieldException e) {
      throw new LinkageError("this JDK has no " + type.getName() + "." + field, e);
    }
  }

  /** Returns the value of a private field that the object's class or a parent of it declares. */
  public static Object field(Object object, String field) {
    Class<?> type = object.getClass();
    while (type.getSuperclass() != null && !declares(type, field)) {
      type = type.getSuperclass();
    }
    return unsafe().getObject(object, offset(type, field));
  }

  /** Returns true if the JVM has run the static initialiser of a class, or runs it now. */
  public static boolean isInitialized(Class<?> type) {
    try {
      return !(boolean) NEEDS_INITIALIZATION.invokeExact(type);
    } catch (Throwable e) {
      throw new LinkageError("this JDK does not tell whether a class is initialised", e);
    }
  }

  /** From JDK 22 on only the inner Unsafe has this method. WorldAgent opens it for this package. */
  private static MethodHandle initializationTest() {
    try {
      Object unsafe =
          Runtime.version().feature() < 22
              ? unsafe()
              : Class.forName("jdk.internal.misc.Unsafe").getMethod("getUnsafe").invoke(null);
      return MethodHandles.lookup()
          .unreflect(unsafe.getClass().getMethod("shouldBeInitialized", Class.class))
          .bindTo(unsafe);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this JDK does not tell whether a class is initialised", e);
    }
  }

  private static boolean declares(Class<?> type, String field) {
    try {
      return type.getDeclaredField(field) != null;
    } catch (NoSuchFieldException e) {
      return false;
    }
  }
}
