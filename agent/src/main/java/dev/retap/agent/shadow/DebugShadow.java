// The memory that an app's process uses on a phone, which native code reads from the kernel. The
// numbers never change, so that the same events show the same screens.
package dev.retap.agent.shadow;

import android.os.Debug;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowDebug;

@Implements(Debug.class)
public class DebugShadow extends ShadowDebug {
  private static final int JAVA_KILOBYTES = 12_400;
  private static final int NATIVE_KILOBYTES = 18_900;
  private static final int OTHER_KILOBYTES = 31_700;
  private static final long NATIVE_HEAP = 24L << 20;
  private static final long NATIVE_ALLOCATED = 19L << 20;

  /** Fills in what the kernel counts for the process. */
  public static void fill(Debug.MemoryInfo memory) {
    memory.dalvikPss = JAVA_KILOBYTES;
    memory.dalvikPrivateDirty = JAVA_KILOBYTES - 400;
    memory.dalvikSharedDirty = 400;
    memory.nativePss = NATIVE_KILOBYTES;
    memory.nativePrivateDirty = NATIVE_KILOBYTES - 300;
    memory.nativeSharedDirty = 300;
    memory.otherPss = OTHER_KILOBYTES;
    memory.otherPrivateDirty = OTHER_KILOBYTES / 2;
    memory.otherSharedDirty = OTHER_KILOBYTES / 3;
  }

  @Implementation
  protected static void getMemoryInfo(Debug.MemoryInfo memory) {
    fill(memory);
  }

  @Implementation
  protected static long getPss() {
    return JAVA_KILOBYTES + NATIVE_KILOBYTES + OTHER_KILOBYTES;
  }

  @Implementation
  protected static long getNativeHeapSize() {
    return NATIVE_HEAP;
  }

  @Implementation
  protected static long getNativeHeapAllocatedSize() {
    return NATIVE_ALLOCATED;
  }

  @Implementation
  protected static long getNativeHeapFreeSize() {
    return NATIVE_HEAP - NATIVE_ALLOCATED;
  }
}
