// Calls framework methods whose parameter lists grow with every Android release. Each parameter
// takes the first unused offered value of its type, else zero, false or null; so one call site
// serves API 23 to 35.
package dev.retap.agent.device;

import android.os.Parcel;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

final class ByType {
  /** Looking a member up copies all members of its class, so what was found is kept with the class. */
  private static final ClassValue<Map<String, Method>> METHODS = found();

  private static final ClassValue<Map<String, Field>> FIELDS = found();

  private ByType() {}

  private static <T> ClassValue<Map<String, T>> found() {
    return new ClassValue<>() {
      @Override
      protected Map<String, T> computeValue(Class<?> type) {
        return new ConcurrentHashMap<>();
      }
    };
  }

  static Object call(Object target, String name, Object... offered) {
    return invoke(longest(target.getClass(), name), target, offered);
  }

  static Object callStatic(Class<?> owner, String name, Object... offered) {
    return invoke(longest(owner, name), null, offered);
  }

  static Object callStatic(String owner, String name, Object... offered) {
    return callStatic(type(owner), name, offered);
  }

  /** A new object by the longest constructor there is, save those that read a parcel. */
  static Object construct(Class<?> type, Object... offered) {
    Constructor<?> best = null;
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      boolean reads = Arrays.asList(constructor.getParameterTypes()).contains(Parcel.class);
      if (!reads
          && (best == null || constructor.getParameterCount() > best.getParameterCount())) {
        best = constructor;
      }
    }
    if (best == null) {
      throw new LinkageError("this Android cannot make a " + type.getName());
    }
    try {
      best.setAccessible(true);
      return best.newInstance(arguments(best.getParameterTypes(), offered));
    } catch (InvocationTargetException e) {
      throw rethrow(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(type.getName(), e);
    }
  }

  static Class<?> type(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new LinkageError("this Android has no " + name, e);
    }
  }

  static boolean has(Class<?> owner, String name) {
    return Arrays.stream(owner.getMethods()).anyMatch(m -> m.getName().equals(name));
  }

  static Object get(Object target, String field) {
    try {
      return field(target.getClass(), field).get(target);
    } catch (IllegalAccessException e) {
      throw new LinkageError(field, e);
    }
  }

  static void set(Object target, String field, Object value) {
    setIn(target.getClass(), target, field, value);
  }

  static void setStatic(Class<?> owner, String field, Object value) {
    setIn(owner, null, field, value);
  }

  static Object getStatic(Class<?> owner, String field) {
    try {
      return field(owner, field).get(null);
    } catch (IllegalAccessException e) {
      throw new LinkageError(field, e);
    }
  }

  static boolean hasField(Class<?> owner, String name) {
    for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
      if (Arrays.stream(c.getDeclaredFields()).anyMatch(f -> f.getName().equals(name))) {
        return true;
      }
    }
    return false;
  }

  /** Arguments that fit a parameter list, filled from the offered values in order. */
  static Object[] arguments(Class<?>[] types, Object... offered) {
    List<Object> unused = new ArrayList<>(Arrays.asList(offered));
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      Class<?> boxed = boxed(types[i]);
      int at = 0;
      while (at < unused.size() && !boxed.isInstance(unused.get(at))) {
        at++;
      }
      arguments[i] = at < unused.size() ? unused.remove(at) : zero(types[i]);
    }
    return arguments;
  }

  static Object zero(Class<?> type) {
    return type.isPrimitive() && type != void.class
        ? Array.get(Array.newInstance(type, 1), 0)
        : null;
  }

  private static Object invoke(Method method, Object target, Object[] offered) {
    try {
      return method.invoke(target, arguments(method.getParameterTypes(), offered));
    } catch (InvocationTargetException e) {
      throw rethrow(e.getCause());
    } catch (IllegalAccessException e) {
      throw new LinkageError(method.toString(), e);
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException rethrow(Throwable cause) throws T {
    throw (T) cause;
  }

  private static Method longest(Class<?> owner, String name) {
    return METHODS.get(owner).computeIfAbsent(name, key -> searchLongest(owner, key));
  }

  private static Method searchLongest(Class<?> owner, String name) {
    Method best = null;
    for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
      for (Method method : c.getDeclaredMethods()) {
        if (method.getName().equals(name)
            && !method.isBridge()
            && (best == null || method.getParameterCount() > best.getParameterCount())) {
          best = method;
        }
      }
    }
    if (best == null) {
      throw new LinkageError("this Android has no " + owner.getName() + "." + name);
    }
    best.setAccessible(true);
    return best;
  }

  private static void setIn(Class<?> owner, Object target, String field, Object value) {
    try {
      field(owner, field).set(target, value);
    } catch (IllegalAccessException e) {
      throw new LinkageError(field, e);
    }
  }

  private static Field field(Class<?> owner, String name) {
    return FIELDS.get(owner).computeIfAbsent(name, key -> searchField(owner, key));
  }

  private static Field searchField(Class<?> owner, String name) {
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

  private static Class<?> boxed(Class<?> type) {
    return type.isPrimitive() ? zero(type).getClass() : type;
  }
}
