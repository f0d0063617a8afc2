// What the runtime tells of its collector: a young process that has collected little.
package dev.retap.agent.shadow.system;

import android.os.Debug;
import java.util.LinkedHashMap;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowDebug;

@Implements(Debug.class)
public class DebugShadow extends ShadowDebug {
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

  @Implementation
  protected static String getRuntimeStat(String name) {
    return STATISTICS.get(name);
  }

  @Implementation
  protected static Map<String, String> getRuntimeStats() {
    return new LinkedHashMap<>(STATISTICS);
  }
}
