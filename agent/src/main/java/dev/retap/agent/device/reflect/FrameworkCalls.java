// Calls framework methods whose parameter lists grow with every Android release. Each parameter
// takes the first unused offered value of its type, or zero, false or null if there is none. One
// call site therefore serves API 23 to 35.
package dev.retap.agent.device.reflect;

import android.os.Parcel;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public final class FrameworkCalls {
  /** Methods found so far. A lookup copies all methods of the class, so the result is kept. */
  private static final ClassValue<Map<String, Method>> METHODS =
      new ClassValue<>() {
        @Override
        protected Map<String, Method> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  private FrameworkCalls() {}

  /** Calls the method of this name that has the most parameters. */
  public static Object call(Object target, String name, Object... offered) {
    return invoke(longest(target.getClass(), name), target, offered);
  }

  /** Calls the static method of this name that has the most parameters. */
  public static Object callStatic(Class<?> owner, String name, Object... offered) {
    return invoke(longest(owner, name), null, offered);
  }

  public static Object callStatic(String owner, String name, Object... offered) {
    return callStatic(type(owner), name, offered);
  }

  /** Makes an object with the longest constructor, except those that read a parcel. */
  public static Object construct(Class<?> type, Object... offered) {
    Constructor<?> best = null;
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      boolean reads = Arrays.asList(constructor.getParameterTypes()).contains(Parcel.class);
      if (!reads && (best == null || constructor.getParameterCount() > best.getParameterCount())) {
        best = constructor;
      }
    }
    if (best == null) {
      throw new LinkageError("this Android cannot make a " + type.getName());
    }
    return newInstance(best, arguments(best.getParameterTypes(), offered));
  }

  /** Makes an object with the constructor that takes no arguments. */
  public static Object constructEmpty(String type) {
    try {
      return newInstance(type(type).getDeclaredConstructor());
    } catch (NoSuchMethodException e) {
      throw new LinkageError(type, e);
    }
  }

  /** Returns the framework class of this name. */
  public static Class<?> type(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new LinkageError("this Android has no " + name, e);
    }
  }

  /** Returns true if the class has a public method of this name. */
  public static boolean hasMethod(Class<?> owner, String name) {
    return Arrays.stream(owner.getMethods()).anyMatch(m -> m.getName().equals(name));
  }

  /** Fills a parameter list from the offered values, in their order. */
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

  /** Returns the default value of a type: zero, false or null. */
  public static Object zero(Class<?> type) {
    return type.isPrimitive() && type != void.class
        ? Array.get(Array.newInstance(type, 1), 0)
        : null;
  }

  private static Object newInstance(Constructor<?> constructor, Object... arguments) {
    try {
      constructor.setAccessible(true);
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      throw rethrow(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(constructor.getDeclaringClass().getName(), e);
    }
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

  private static Class<?> boxed(Class<?> type) {
    return type.isPrimitive() ? zero(type).getClass() : type;
  }
}
