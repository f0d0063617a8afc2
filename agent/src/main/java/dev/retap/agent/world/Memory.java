// The JDK's door to raw memory, needed where the JVM itself keeps what the seed must decide.
package dev.retap.agent.world;

import java.lang.reflect.Field;
import sun.misc.Unsafe;

final class Memory {
  private Memory() {}

  static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this JDK hides its Unsafe", e);
    }
  }

  /** Where the class keeps this field of its own. */
  static long offset(Class<?> type, String field) {
    try {
      return unsafe().objectFieldOffset(type.getDeclaredField(field));
    } catch (NoSuchFieldException e) {
      throw new LinkageError("this JDK has no " + type.getName() + "." + field, e);
    }
  }

  /** The value of a private field of one of the JDK's objects. */
  static Object field(Object object, String field) {
    Class<?> type = object.getClass();
    while (type.getSuperclass() != null && !declares(type, field)) {
      type = type.getSuperclass();
    }
    return unsafe().getObject(object, offset(type, field));
  }

  private static boolean declares(Class<?> type, String field) {
    try {
      return type.getDeclaredField(field) != null;
    } catch (NoSuchFieldException e) {
      return false;
    }
  }
}
