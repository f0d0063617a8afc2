// One call that arrived at a binder interface. Arguments are found by declared type and order,
// because their positions differ between Android releases.
package dev.retap.agent.device.binder;

import java.lang.reflect.Method;

public record BinderCall(Method method, Object[] arguments) {
  /** Returns the first argument of this declared type, or null if there is none. */
  public <T> T first(Class<T> type) {
    return nth(type, 0);
  }

  /** Returns the argument of this declared type that has {@code n} others before it, or null. */
  public <T> T nth(Class<T> type, int n) {
    Class<?>[] declared = method.getParameterTypes();
    for (int i = 0; i < declared.length; i++) {
      if (declared[i] == type && n-- == 0) {
        return type.isPrimitive() ? cast(arguments[i]) : type.cast(arguments[i]);
      }
    }
    return null;
  }

  /** Returns the last argument of this declared type, or null if there is none. */
  public <T> T last(Class<T> type) {
    Class<?>[] declared = method.getParameterTypes();
    for (int i = declared.length - 1; i >= 0; i--) {
      if (declared[i] == type) {
        return type.cast(arguments[i]);
      }
    }
    return null;
  }

  /** Returns the nth int argument, or 0 if there are fewer. */
  public int number(int n) {
    Integer value = nth(int.class, n);
    return value == null ? 0 : value;
  }

  /** Returns the nth boolean argument, or false if there are fewer. */
  public boolean flag(int n) {
    return Boolean.TRUE.equals(nth(boolean.class, n));
  }

  @SuppressWarnings("unchecked")
  private static <T> T cast(Object boxed) {
    return (T) boxed;
  }
}
