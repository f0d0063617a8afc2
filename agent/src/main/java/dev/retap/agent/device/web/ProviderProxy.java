// Implements an interface of the browser by the methods of an object that have the same name and
// number of parameters. The interfaces differ between API levels, so no class can implement them
// all. A call without a method does nothing if nobody can tell, and fails if it must answer.
package dev.retap.agent.device.web;

import dev.retap.agent.device.reflect.FrameworkCalls;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

final class ProviderProxy implements InvocationHandler {
  private final Object target;
  private final Map<String, Method> methods = new HashMap<>();

  private ProviderProxy(Object target) {
    this.target = target;
    for (Class<?> c = target.getClass(); c != Object.class; c = c.getSuperclass()) {
      for (Method method : c.getDeclaredMethods()) {
        method.setAccessible(true);
        methods.putIfAbsent(key(method), method);
      }
    }
  }

  static <T> T of(Class<T> type, Object target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, new ProviderProxy(target)));
  }

  /** The same for an interface that the class path of this build may not have in this form. */
  static Object of(String type, Object target) {
    return of(FrameworkCalls.type(type), target);
  }

  @Override
  public Object invoke(Object proxy, Method called, Object[] arguments) throws Throwable {
    if (called.getDeclaringClass() == Object.class) {
      return ofObject(proxy, called, arguments);
    }
    Method method = methods.get(key(called));
    if (method != null) {
      try {
        return method.invoke(target, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
    if (called.getReturnType() == void.class) {
      return null;
    }
    throw new UnsupportedOperationException(
        "this browser has no " + called.getDeclaringClass().getName() + "." + called.getName());
  }

  private static Object ofObject(Object proxy, Method called, Object[] arguments) {
    return switch (called.getName()) {
      case "equals" -> proxy == arguments[0];
      case "hashCode" -> 1;
      default -> "WebView";
    };
  }

  private static String key(Method method) {
    return method.getName() + "/" + method.getParameterCount();
  }
}
