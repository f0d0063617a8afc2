// The JDK's counters from which threads get their names. Every world restarts them, so that a crash
// names the same thread whatever ran in this JVM before.
package dev.retap.agent.world;

import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicInteger;

final class ThreadNameCounters {
  private ThreadNameCounters() {}

  static void restart() {
    restart("java.lang.Thread", "threadInitNumber", 0);
    restart("java.util.concurrent.Executors$DefaultThreadFactory", "poolNumber", 1);
    restart("java.util.Timer", "nextSerialNumber", 0);
  }

  /** Sets one counter. A JDK that keeps it elsewhere only numbers its threads differently. */
  private static void restart(String type, String name, int value) {
    try {
      Field field = Class.forName(type).getDeclaredField(name);
      field.setAccessible(true);
      if (field.getType() == int.class) {
        field.setInt(null, value);
      } else {
        ((AtomicInteger) field.get(null)).set(value);
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      return;
    }
  }
}
