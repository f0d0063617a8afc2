// Reads and writes fields of framework classes that are not part of Android's public API.
package dev.retap.agent.device.reflect;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public final class FrameworkFields {
  /** Fields found so far. A lookup copies all fields of the class, so the result is kept. */
  private static final ClassValue<Map<String, Field>> FIELDS =
      new ClassValue<>() {
        @Override
        protected Map<String, Field> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  private FrameworkFields() {}

  public static Object get(Object target, String field) {
    return read(find(target.getClass(), field), target);
  }

  public static void set(Object target, String field, Object value) {
    write(find(target.getClass(), field), target, value);
  }

  public static Object getStatic(Class<?> owner, String field) {
    return read(find(owner, field), null);
  }

  public static void setStatic(Class<?> owner, String field, Object value) {
    write(find(owner, field), null, value);
  }

  /** Returns the field of the class or of its nearest superclass that has one, made accessible. */
  public static Field find(Class<?> owner, String name) {
    return FIELDS.get(owner).computeIfAbsent(name, key -> search(owner, key));
  }

  /** Reads a field that {@link #find} has made accessible. */
  public static Object read(Field field, Object target) {
    try {
      return field.get(target);
    } catch (IllegalAccessException e) {
      throw new LinkageError(field.getName(), e);
    }
  }

  private static void write(Field field, Object target, Object value) {
    try {
      field.set(target, value);
    } catch (IllegalAccessException e) {
      throw new LinkageError(field.getName(), e);
    }
  }

  private static Field search(Class<?> owner, String name) {
    for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          field.setAccessible(true);
          return field;
        }
      }
    }
    throw new LinkageError("this Android has no field " + owner.getName() + "." + name);
  }
}
