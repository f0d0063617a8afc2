// Binds a native method of the framework that nobody plays: neither a shadow nor Android's native
// half. Robolectric answers zero or null in silence, which an app takes for a phone's answer. Here
// the call fails, and becomes a host limitation, if the app asked for it: if the class of the
// method was called by code of the app. The framework's own calls, most of which only look after
// handles, go on with zero or null.
package dev.retap.agent.shadow;

import dev.retap.agent.world.MissingCalls;
import dev.retap.agent.world.Scheduler;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Set;

final class UnplayedNatives {
  /** Methods whose zero or null is right: nothing but this process exists. */
  private static final Set<String> HARMLESS =
      Set.of(
          "android.os.Binder.clearCallingIdentity",
          "android.os.Binder.clearCallingWorkSource",
          "android.os.Binder.getCallingWorkSource",
          "android.os.Binder.getNativeBBinderHolder",
          "android.os.Binder.getNativeFinalizer",
          "android.os.Binder.getThreadStrictModePolicy",
          "android.os.Binder.setCallingWorkSourceUid",
          "android.os.MessageQueue.nativeInit");

  private static final StackWalker STACK =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private static final MethodHandle REFUSE = find("refuse", Object.class, String.class);
  private static final MethodHandle MUST_REFUSE =
      find("mustRefuse", boolean.class, String.class, String.class);

  private UnplayedNatives() {}

  /** Returns the target of the call: the silent original, or one that fails for the app. */
  static MethodHandle bind(Class<?> owner, String name, MethodHandle original) {
    MethodType type = original.type();
    String call = owner.getName() + "." + name;
    if (type.returnType() == void.class) {
      // Only the native half could tell, so a call without an answer does nothing.
      return MethodHandles.catchException(
          original,
          UnsatisfiedLinkError.class,
          MethodHandles.dropArguments(
              MethodHandles.empty(MethodType.methodType(void.class)),
              0,
              UnsatisfiedLinkError.class));
    }
    if (HARMLESS.contains(call)) {
      return original;
    }
    MethodHandle refusal =
        MethodHandles.insertArguments(REFUSE, 0, call)
            .asType(MethodType.methodType(type.returnType()));
    return MethodHandles.guardWithTest(
        MethodHandles.insertArguments(MUST_REFUSE, 0, call, outermost(owner.getName())),
        MethodHandles.dropArguments(refusal, 0, type.parameterList()),
        original);
  }

  /** Returns true if the app called the class of the method. Notes the call if it did not. */
  private static boolean mustRefuse(String call, String owner) {
    if (!Scheduler.isAppThread()) {
      return false;
    }
    boolean byApp =
        STACK.walk(
            frames ->
                frames
                    .map(StackWalker.StackFrame::getDeclaringClass)
                    .filter(type -> type != UnplayedNatives.class)
                    .filter(type -> !outermost(type.getName()).equals(owner))
                    .findFirst()
                    .filter(UnplayedNatives::isOfApp)
                    .isPresent());
    if (!byApp) {
      MissingCalls.noteNull(call);
    }
    return byApp;
  }

  /** The loader of the app's classes is the only one below that of the framework's. */
  private static boolean isOfApp(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader != null && loader.getParent() == UnplayedNatives.class.getClassLoader();
  }

  private static String outermost(String name) {
    int dollar = name.indexOf('$');
    return dollar < 0 ? name : name.substring(0, dollar);
  }

  private static Object refuse(String call) {
    throw MissingCalls.refuse(call);
  }

  private static MethodHandle find(String name, Class<?> returned, Class<?>... taken) {
    try {
      return MethodHandles.lookup()
          .findStatic(UnplayedNatives.class, name, MethodType.methodType(returned, taken));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
