// The collections that the framework keeps in static fields. On a phone they end with the process.
// Here the framework's classes live on, and an app's object left in one of them would keep the
// ended process, with all its classes, in memory for ever.
package dev.retap.agent.world.memory;

import java.lang.ref.WeakReference;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

public final class StaticCollections {
  /** Weak references, because a class may replace its collection and the old one must not stay. */
  private static final List<WeakReference<Object>> REGISTERED = new ArrayList<>();

  private StaticCollections() {}

  /**
   * Registers the value if it is a collection. Framework classes call it where they set a static
   * field.
   */
  public static void register(Object value) {
    if (value instanceof Map || value instanceof Collection) {
      synchronized (REGISTERED) {
        REGISTERED.removeIf(known -> known.refersTo(value) || known.refersTo(null));
        REGISTERED.add(new WeakReference<>(value));
      }
    }
  }

  /**
   * Removes all objects of ended processes.
   *
   * @param ended returns true for the class loader of an ended process
   */
  public static void removeObjectsOf(Predicate<ClassLoader> ended) {
    synchronized (REGISTERED) {
      REGISTERED.forEach(known -> removeObjectsOf(known.get(), ended));
    }
  }

  private static void removeObjectsOf(Object collection, Predicate<ClassLoader> ended) {
    try {
      if (collection instanceof Map<?, ?> map) {
        map.entrySet().removeIf(it -> isOf(it.getKey(), ended) || isOf(it.getValue(), ended));
      } else if (collection instanceof Collection<?> plain) {
        plain.removeIf(element -> isOf(element, ended));
      }
    } catch (UnsupportedOperationException e) {
      // The framework itself has filled it, once, so it holds nothing of an app.
    }
  }

  private static boolean isOf(Object object, Predicate<ClassLoader> ended) {
    if (object instanceof Class<?> type) {
      return ended.test(type.getClassLoader());
    }
    if (object instanceof Member member) {
      return ended.test(member.getDeclaringClass().getClassLoader());
    }
    return object != null && ended.test(object.getClass().getClassLoader());
  }
}
