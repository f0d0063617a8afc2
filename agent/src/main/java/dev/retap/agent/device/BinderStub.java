// Plays one system service: a proxy of its binder interface that answers the calls somebody
// handles and gives zero, false, null or an empty list to all others.
package dev.retap.agent.device;

import android.os.Binder;
import android.os.IInterface;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

final class BinderStub implements InvocationHandler {
  private final Map<String, Function<BinderCall, Object>> handlers = new ConcurrentHashMap<>();
  private final Binder binder = new Binder();

  BinderStub on(String name, Function<BinderCall, Object> handler) {
    handlers.put(name, handler);
    return this;
  }

  /** The stub as this interface, which its binder also answers for from now on. */
  Object as(Class<?> binderInterface) {
    Object proxy =
        Proxy.newProxyInstance(
            binderInterface.getClassLoader(), new Class<?>[] {binderInterface}, this);
    binder.attachInterface((IInterface) proxy, binderInterface.getName());
    return proxy;
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) {
    switch (method.getName()) {
      case "asBinder":
        return binder;
      case "hashCode":
        return 1;
      case "equals":
        return proxy == arguments[0];
      case "toString":
        return "BinderStub";
      default:
    }
    Function<BinderCall, Object> handler = handlers.get(method.getName());
    Object answer =
        handler == null
            ? null
            : handler.apply(
                new BinderCall(method, arguments == null ? new Object[0] : arguments));
    Class<?> type = method.getReturnType();
    if (answer == null && type == List.class) {
      return List.of();
    }
    return answer == null ? ByType.zero(type) : answer;
  }

  /** A list in the form binder interfaces pass it. */
  static Object slice(List<?> items) {
    return ByType.construct(
        ByType.type("android.content.pm.ParceledListSlice"), new ArrayList<>(items));
  }
}
