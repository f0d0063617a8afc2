// Binds a native method of the framework that nobody plays: neither a shadow nor Android's native
// half. Robolectric answers zero or null in silence, which an app takes for a phone's answer. Here
// the call fails and becomes a host limitation, except where zero, null or nothing is the right
// answer or the call has no answer at all.
package dev.retap.agent.shadow;

import dev.retap.agent.world.MissingCalls;
import dev.retap.agent.world.Scheduler;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Set;

final class UnplayedNatives {
  /** Methods whose zero or null is harmless. */
  private static final Set<String> HARMLESS =
      Set.of(
          // Handles of objects that have no native half here and never need one.
          "android.os.MessageQueue.nativeInit",
          "android.os.Binder.init",
          "android.os.Binder.getNativeBBinderHolder",
          "android.os.Binder.getNativeFinalizer",
          "android.os.BinderProxy.getNativeFinalizer",
          // No other process calls.
          "android.os.Binder.clearCallingIdentity",
          "android.os.Binder.getThreadStrictModePolicy",
          "android.os.Binder.getCallingWorkSource",
          "android.os.Binder.setCallingWorkSourceUid",
          "android.os.Binder.clearCallingWorkSource");

  private static final MethodHandle REFUSE =
      find(UnplayedNatives.class, "refuse", Object.class, String.class);
  private static final MethodHandle IS_APP_THREAD =
      find(Scheduler.class, "isAppThread", boolean.class);

  private UnplayedNatives() {}

  /**
   * Returns the target of the call: the silent original, or one that fails on the app's threads.
   * The set-up of the phone goes on with zero or null.
   */
  static MethodHandle bind(Class<?> owner, String name, MethodHandle original) {
    MethodType type = original.type();
    String call = owner.getName() + "." + name;
    if (type.returnType() == void.class || HARMLESS.contains(call)) {
      return original;
    }
    MethodHandle refusal =
        MethodHandles.insertArguments(REFUSE, 0, call)
            .asType(MethodType.methodType(type.returnType()));
    return MethodHandles.guardWithTest(
        IS_APP_THREAD, MethodHandles.dropArguments(refusal, 0, type.parameterList()), original);
  }

  private static Object refuse(String call) {
    throw MissingCalls.refuse(call);
  }

  private static MethodHandle find(
      Class<?> owner, String name, Class<?> returned, Class<?>... taken) {
    try {
      return MethodHandles.lookup().findStatic(owner, name, MethodType.methodType(returned, taken));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
