// Binds a framework method that may have a shadow, once and for good: the bootstrap methods of the
// calls that DirectCalls leaves. The shadows of a device never change, so there is no guard that
// notices a change. Robolectric also cleans the stack trace at every call that an exception passes;
// here only the traces that are shown are cleaned, by StackText.
package dev.retap.agent.shadow;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import org.robolectric.internal.bytecode.RobolectricInternals;
import org.robolectric.internal.bytecode.ShadowedObject;

public final class ShadowBootstrap {
  private static final MethodHandle SHADOW_OF;

  static {
    try {
      SHADOW_OF =
          MethodHandles.lookup()
              .findVirtual(
                  ShadowedObject.class, "$$robo$getData", MethodType.methodType(Object.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private ShadowBootstrap() {}

  /** Binds the creation of an object's shadow. */
  public static CallSite bootstrapInit(Lookup caller, String name, MethodType type) {
    return new ConstantCallSite(
        RobolectricInternals.getShadowCreator(caller.lookupClass()).asType(type));
  }

  public static CallSite bootstrap(
      Lookup caller, String name, MethodType type, MethodHandle original, int isNative)
      throws IllegalAccessException {
    return bind(caller, name, type, original, false, isNative == 1);
  }

  public static CallSite bootstrapStatic(
      Lookup caller, String name, MethodType type, MethodHandle original, int isNative)
      throws IllegalAccessException {
    return bind(caller, name, type, original, true, isNative == 1);
  }

  private static CallSite bind(
      Lookup caller,
      String name,
      MethodType type,
      MethodHandle original,
      boolean isStatic,
      boolean isNative)
      throws IllegalAccessException {
    Class<?> owner = caller.lookupClass();
    MethodHandle found =
        RobolectricInternals.findShadowMethodHandle(owner, name, type, isStatic, isNative);
    BoundShadows.note(owner, name, found != null && !isNative);
    if (found == null) {
      found = isNative ? UnplayedNatives.bind(owner, name, original) : original;
    } else if (found.type().parameterCount() < type.parameterCount()) {
      // A shadow that swallows the call takes no arguments.
      found = MethodHandles.dropArguments(found, 0, type.parameterList());
    } else if (!isStatic && found.type().parameterType(0) != owner) {
      Class<?> shadow = found.type().parameterType(0);
      found =
          MethodHandles.filterArguments(
              found, 0, SHADOW_OF.asType(MethodType.methodType(shadow, type.parameterType(0))));
    }
    return new ConstantCallSite(found.asType(type));
  }
}
