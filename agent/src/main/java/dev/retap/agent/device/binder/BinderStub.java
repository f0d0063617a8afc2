// Plays one system service: a proxy of its binder interface. It answers the calls that have a
// handler and gives all others the answer of a service that has nothing to tell.
package dev.retap.agent.device.binder;

import android.os.Binder;
import android.os.IInterface;
import android.os.Parcel;
import android.os.Parcelable;
import android.os.TransactionTooLargeException;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.world.MissingCalls;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.robolectric.shadows.ShadowServiceManager;

public final class BinderStub implements InvocationHandler {
  /** The room of a transaction: a megabyte less two pages. */
  private static final int MOST_BYTES = (1 << 20) - 2 * 4096;

  private final Map<String, Function<BinderCall, Object>> handlers = new ConcurrentHashMap<>();
  private final Binder binder = new Binder();

  /** Answers calls of this name with the handler. */
  public BinderStub on(String name, Function<BinderCall, Object> handler) {
    handlers.put(name, handler);
    return this;
  }

  /** Returns the stub as this interface, which its binder also answers for from now on. */
  public Object as(Class<?> binderInterface) {
    Object proxy =
        Proxy.newProxyInstance(
            binderInterface.getClassLoader(), new Class<?>[] {binderInterface}, this);
    binder.attachInterface((IInterface) proxy, binderInterface.getName());
    return proxy;
  }

  /** Puts the stub where the service manager looks for the service of this name. */
  public void publish(String service, String binderInterface) {
    Class<? extends IInterface> type =
        FrameworkCalls.type(binderInterface).asSubclass(IInterface.class);
    ShadowServiceManager.addBinderService(service, type, (IInterface) as(type));
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
    if (handler == null) {
      EmptyAnswer.send(arguments);
      return unplayed(method);
    }
    Object[] passed = arguments == null ? new Object[0] : arguments;
    return orZero(handler.apply(new BinderCall(method, passed)), method);
  }

  /** Returns the answer to a call that nobody plays, and notes a null so that a crash names it. */
  private static Object unplayed(Method method) {
    Object answer = EmptyAnswer.of(method.getReturnType());
    if (answer == null && method.getReturnType() != void.class) {
      MissingCalls.noteNull(method.getDeclaringClass().getSimpleName() + "." + method.getName());
    }
    return answer;
  }

  /** Returns a handler's answer. Its null is meant, except where the type has none. */
  private static Object orZero(Object answer, Method method) {
    Class<?> type = method.getReturnType();
    if (answer == null && type == List.class) {
      return List.of();
    }
    return answer == null ? FrameworkCalls.zero(type) : answer;
  }

  /** Returns the refusal of a call, as its caller sees it: the server's frames stay there. */
  public static SecurityException refuse(String message) {
    return trimmed(new SecurityException(message));
  }

  /** Takes the frames of the service off an exception that is its answer, not a fault of it. */
  public static <T extends Throwable> T trimmed(T answer) {
    StackTraceElement[] frames = answer.getStackTrace();
    int own = 0;
    while (own < frames.length && isOfService(frames[own].getClassName())) {
      own++;
    }
    answer.setStackTrace(Arrays.copyOfRange(frames, own, frames.length));
    return answer;
  }

  private static boolean isOfService(String type) {
    return type.startsWith("dev.retap.agent.") || type.contains("$Proxy");
  }

  /** Throws if an argument is larger than what passes between two processes. */
  public static void checkSize(Parcelable argument) {
    Parcel parcel = Parcel.obtain();
    try {
      parcel.writeParcelable(argument, 0);
      if (parcel.dataSize() > MOST_BYTES) {
        String message = "data parcel size " + parcel.dataSize() + " bytes";
        throw sneaky(trimmed(new TransactionTooLargeException(message)));
      }
    } finally {
      parcel.recycle();
    }
  }

  /** Passes on a checked exception that the interface declares and the handler cannot. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException sneaky(Throwable answer) throws T {
    throw (T) answer;
  }

  /** Returns a list in the form in which binder interfaces pass it. */
  public static Object slice(List<?> items) {
    return FrameworkCalls.construct(
        FrameworkCalls.type("android.content.pm.ParceledListSlice"), new ArrayList<>(items));
  }
}
