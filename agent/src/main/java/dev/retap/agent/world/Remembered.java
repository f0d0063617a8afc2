// Collections that the framework keeps in statics. A phone's process takes them with it when it ends;
// here the framework's classes live on, and whatever of the app's is left in one of them would keep the
// ended process, with all its classes, in memory for ever.
package dev.retap.agent.world;

import java.lang.ref.WeakReference;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

public final class Remembered {
  /** Held weakly: a collection that a class has set another in place of is not kept for this list's sake. */
  private static final List<WeakReference<Object>> KEPT = new ArrayList<>();

  private Remembered() {}

  /** Called by the framework's classes wherever they set a static collection. */
  public static void keep(Object collection) {
    if (collection instanceof Map || collection instanceof Collection) {
      synchronized (KEPT) {
        KEPT.removeIf(known -> known.refersTo(collection) || known.refersTo(null));
        KEPT.add(new WeakReference<>(collection));
      }
    }
  }

  /**
   * @param gone tells the class loaders of ended processes
   */
  public static void forget(Predicate<ClassLoader> gone) {
    synchronized (KEPT) {
      KEPT.forEach(known -> forget(known.get(), gone));
    }
  }

  private static void forget(Object collection, Predicate<ClassLoader> gone) {
    try {
      if (collection instanceof Map<?, ?> map) {
        map.entrySet().removeIf(it -> isOf(it.getKey(), gone) || isOf(it.getValue(), gone));
      } else if (collection instanceof Collection<?> plain) {
        plain.removeIf(element -> isOf(element, gone));
      }
    } catch (UnsupportedOperationException e) {
      // It was filled once, by the framework itself.
    }
  }

  private static boolean isOf(Object object, Predicate<ClassLoader> gone) {
    if (object instanceof Class<?> type) {
      return gone.test(type.getClassLoader());
    }
    if (object instanceof Member member) {
      return gone.test(member.getDeclaringClass().getClassLoader());
    }
    return object != null && gone.test(object.getClass().getClassLoader());
  }
}
