// The memory that an app's process uses on a phone, which native code reads from the kernel, and
// what the runtime tells of its collector: a young process that has collected little. The numbers
// never change, so that the same events show the same screens.
package dev.retap.agent.shadow.system;

import android.os.Debug;
import java.util.LinkedHashMap;
import java.util.Map;
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

  private static final Map<String, String> STATISTICS = new LinkedHashMap<>();

  static {
    STATISTICS.put("art.gc.gc-count", "2");
    STATISTICS.put("art.gc.gc-time", "18");
    STATISTICS.put("art.gc.bytes-allocated", "8388608");
    STATISTICS.put("art.gc.bytes-freed", "3145728");
    STATISTICS.put("art.gc.blocking-gc-count", "0");
    STATISTICS.put("art.gc.blocking-gc-time", "0");
    STATISTICS.put("art.gc.gc-count-rate-histogram", "0:5,1:1");
    STATISTICS.put("art.gc.blocking-gc-count-rate-histogram", "0:6");
  }

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

  @Implementation
  protected static String getRuntimeStat(String name) {
    return STATISTICS.get(name);
  }

  @Implementation
  protected static Map<String, String> getRuntimeStats() {
    return new LinkedHashMap<>(STATISTICS);
  }
}
