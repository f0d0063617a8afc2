// Counts the memory outside the heap that objects of the framework own.
package dev.retap.agent.shadow.system;

import static org.robolectric.util.reflector.Reflector.reflector;

import dev.retap.agent.world.jdk.NativeMemory;
import libcore.util.NativeAllocationRegistry;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowNativeAllocationRegistry;
import org.robolectric.util.reflector.Accessor;
import org.robolectric.util.reflector.ForType;

@Implements(
    value = NativeAllocationRegistry.class,
    minSdk = 26,
    isInAndroidSdk = false,
    callNativeMethodsByDefault = true)
public class NativeAllocationRegistryShadow extends ShadowNativeAllocationRegistry {
  /** The bit of a size that says who has allocated. */
  private static final long IS_MALLOCED = 1;

  @Implementation
  @Override
  protected Runnable registerNativeAllocation(Object referent, long nativePtr) {
    long size = reflector(RegistryFields.class, realNativeAllocationRegistry).getSize();
    NativeMemory.allocate(size & ~IS_MALLOCED);
    return super.registerNativeAllocation(referent, nativePtr);
  }

  @ForType(NativeAllocationRegistry.class)
  private interface RegistryFields {
    @Accessor("size")
    long getSize();
  }
}
