// The phone's memory and the app's share of it, always the same: what this machine uses says
// nothing about a phone.
package dev.retap.agent.device.system.hardware;

import android.app.ActivityManager;
import android.os.Debug;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.shadow.system.DebugShadow;

public final class MemoryUse {
  private static final long KILOBYTE = 1024;
  private static final long THRESHOLD = 226_492_416;

  /** The level that also tells how much memory the phone is sold with. */
  private static final int FIRST_WITH_ADVERTISED_MEMORY = 34;

  private static final long ADVERTISED = 4_000_000_000L;

  private final int apiLevel;

  public MemoryUse(int apiLevel) {
    this.apiLevel = apiLevel;
  }

  public void serve(BinderStub stub) {
    stub.on("getMemoryInfo", call -> fill(call.first(ActivityManager.MemoryInfo.class)))
        .on("getProcessMemoryInfo", MemoryUse::ofProcesses);
  }

  private Object fill(ActivityManager.MemoryInfo memory) {
    memory.totalMem = SystemTexts.memory("MemTotal") * KILOBYTE;
    memory.availMem = SystemTexts.memory("MemAvailable") * KILOBYTE;
    memory.threshold = THRESHOLD;
    memory.lowMemory = false;
    if (apiLevel >= FIRST_WITH_ADVERTISED_MEMORY) {
      FrameworkFields.set(memory, "advertisedMem", ADVERTISED);
    }
    return null;
  }

  private static Object ofProcesses(BinderCall call) {
    Debug.MemoryInfo[] answers = new Debug.MemoryInfo[call.first(int[].class).length];
    for (int i = 0; i < answers.length; i++) {
      answers[i] = new Debug.MemoryInfo();
      DebugShadow.fill(answers[i]);
    }
    return answers;
  }
}
