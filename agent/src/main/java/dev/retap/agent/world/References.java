// Weak and soft references, and finalizers. The JVM clears references whenever it collects garbage,
// which is another moment in every run. Here the references that an app can see keep their
// referents until a step begins after many were created, or until the app itself asks for a
// collection: the events decide these moments. Then all that nothing else keeps is cleared
// together, finalizers included.
package dev.retap.agent.world;

import dev.retap.agent.world.memory.UnsafeMemory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import sun.misc.Unsafe;

public final class References {
  /** The number of references below which nothing is collected. */
  static final int LEAST_LIMIT = 50_000;

  /** How long a collection may take until its references are in their queues. */
  private static final long QUEUE_MILLIS = 1_000;

  private static final String APP_LOADER = "dev.retap.agent.device.app.AppClassLoader";
  private static final Class<?> MAP_ENTRY = jdkType("java.util.WeakHashMap$Entry");
  private static final Class<?> FINALIZER = jdkType("java.lang.ref.Finalizer");
  private static final Unsafe UNSAFE = UnsafeMemory.unsafe();
  private static final long REFERENT = referentOffset();
  private static final MethodHandle WAIT_FOR_QUEUES = waitForQueues();
  private static final Object LOCK = new Object();

  /** The references, and beside them what they refer to. */
  private static List<Reference<?>> references = new ArrayList<>();

  private static List<Object> referents = new ArrayList<>();

  private static volatile boolean active;
  private static boolean collectedInStep;
  private static int limit = LEAST_LIMIT;

  private References() {}

  static void begin() {
    synchronized (LOCK) {
      forget();
      limit = LEAST_LIMIT;
      collectedInStep = false;
      active = true;
    }
  }

  static void end() {
    synchronized (LOCK) {
      active = false;
      disarmFinalizers();
      forget();
    }
  }

  /**
   * Lets the finalizers of the ended process find an object that has none: the next process shares
   * its classes and must not hear of it.
   */
  private static void disarmFinalizers() {
    for (Reference<?> reference : references) {
      if (reference.getClass() == FINALIZER) {
        UNSAFE.putObject(reference, REFERENT, new Object());
      }
    }
  }

  /** Collects if many references were created since the last time. The main thread calls this. */
  static void beginStep() {
    collectedInStep = false;
    if (active && references.size() >= limit) {
      collect();
    }
  }

  /** Keeps the referent of a new reference. The constructor of Reference calls this. */
  public static void created(Reference<?> reference, Object referent) {
    if (!active
        || referent == null
        || !Scheduler.isAppThread()
        || !isVisible(reference, referent)) {
      return;
    }
    synchronized (LOCK) {
      references.add(reference);
      referents.add(referent);
    }
  }

  /** Replaces the app's call of System.gc: the first of a step collects. */
  public static void collectForApp() {
    if (active && !collectedInStep) {
      collectedInStep = true;
      collect();
    }
  }

  public static void collectForApp(Runtime runtime) {
    collectForApp();
  }

  /** Replaces calls of the framework, which asks for a collection to save memory. */
  public static void ignore() {}

  public static void ignore(Runtime runtime) {}

  /** Clears every reference whose referent nothing else keeps. */
  public static void collect() {
    synchronized (LOCK) {
      boolean wasActive = active;
      active = false;
      int count = references.size();
      List<WeakReference<Reference<?>>> kept = new ArrayList<>(count);
      List<WeakReference<Object>> keptReferents = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        kept.add(new WeakReference<>(references.get(i)));
        keptReferents.add(new WeakReference<>(referents.get(i)));
      }
      forget();
      collectGarbage();
      boolean finalizes = false;
      for (int i = 0; i < count; i++) {
        Reference<?> reference = kept.get(i).get();
        Object referent = keptReferents.get(i).get();
        if (reference != null && referent != null) {
          references.add(reference);
          referents.add(referent);
        }
        finalizes |= reference != null && reference.getClass() == FINALIZER && referent == null;
      }
      limit = Math.max(LEAST_LIMIT, 2 * references.size());
      active = wasActive;
      if (finalizes && !Scheduler.isAppThread()) {
        System.runFinalization();
      }
    }
  }

  /** Returns the number of references that are kept. */
  static int count() {
    synchronized (LOCK) {
      return references.size();
    }
  }

  private static void forget() {
    references = new ArrayList<>();
    referents = new ArrayList<>();
  }

  /** Returns once a collection is over and the JVM has put what it cleared into the queues. */
  private static void collectGarbage() {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    PhantomReference<Object> marker = new PhantomReference<>(new Object(), queue);
    System.gc();
    long until = System.currentTimeMillis() + QUEUE_MILLIS;
    while (queue.poll() == null && System.currentTimeMillis() < until) {
      Thread.onSpinWait();
    }
    Reference.reachabilityFence(marker);
    awaitQueues();
  }

  /** Waits for the JVM's thread that puts references into their queues, in any order. */
  private static void awaitQueues() {
    if (WAIT_FOR_QUEUES == null) {
      return;
    }
    try {
      while ((boolean) WAIT_FOR_QUEUES.invoke()) {
        Thread.onSpinWait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      throw new LinkageError("this JDK does not tell when references are in their queues", e);
    }
  }

  /** Returns the JDK's method that waits for one round of that thread, or null if it is closed. */
  private static MethodHandle waitForQueues() {
    try {
      Object access =
          Class.forName("jdk.internal.access.SharedSecrets")
              .getMethod("getJavaLangRefAccess")
              .invoke(null);
      Method method =
          Class.forName("jdk.internal.access.JavaLangRefAccess")
              .getMethod("waitForReferenceProcessing");
      return MethodHandles.lookup().unreflect(method).bindTo(access);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** Leaves out what the JDK keeps for itself, and finalizers of the framework. */
  private static boolean isVisible(Reference<?> reference, Object referent) {
    Class<?> type = reference.getClass();
    if (type == FINALIZER) {
      ClassLoader loader = referent.getClass().getClassLoader();
      return loader != null && loader.getClass().getName().equals(APP_LOADER);
    }
    return type == WeakReference.class
        || type == SoftReference.class
        || type == PhantomReference.class
        || type == MAP_ENTRY
        || type.getClassLoader() != null;
  }

  private static long referentOffset() {
    try {
      return UNSAFE.objectFieldOffset(Reference.class.getDeclaredField("referent"));
    } catch (NoSuchFieldException e) {
      throw new LinkageError("this JDK's references have no referent", e);
    }
  }

  private static Class<?> jdkType(String name) {
    try {
      return Class.forName(name, false, null);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }
}
