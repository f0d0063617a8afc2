// Values that the app and the framework keep per thread. The main thread outlives the app's
// process, so a new process would find the old one's animation times there, and the old classes
// could not be unloaded.
package dev.retap.agent.device.app;

import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

public final class ThreadLocals {
  /** Classes that are set up once per thread and whose content the host resets. */
  private static final Set<String> KEPT = Set.of("android.os.Looper", "android.view.Choreographer");

  private ThreadLocals() {}

  /** Removes such values from the current thread. */
  public static void forget() {
    try {
      Object map = field(Thread.class, "threadLocals").get(Thread.currentThread());
      if (map == null) {
        return;
      }
      Object table = field(map.getClass(), "table").get(map);
      List<ThreadLocal<?>> obsolete = new ArrayList<>();
      for (int i = 0; i < Array.getLength(table); i++) {
        Object entry = Array.get(table, i);
        if (entry != null) {
          ThreadLocal<?> key = (ThreadLocal<?>) ((Reference<?>) entry).get();
          Object value = field(entry.getClass(), "value").get(entry);
          if (key != null && (isOfApp(key) || isOfApp(value))) {
            obsolete.add(key);
          }
        }
      }
      obsolete.forEach(ThreadLocal::remove);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this JDK keeps thread locals elsewhere", e);
    }
  }

  private static boolean isOfApp(Object object) {
    if (object == null) {
      return false;
    }
    String name = object.getClass().getName();
    return object.getClass().getClassLoader() instanceof AppClassLoader
        || name.startsWith("android.") && !KEPT.contains(name);
  }

  private static Field field(Class<?> owner, String name) throws NoSuchFieldException {
    Field field = owner.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
