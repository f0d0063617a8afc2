// What the framework keeps in statics for as long as a process lives. Here its classes outlive the
// app's process, so before the next one starts, what they remember of the app is forgotten, moments of
// its time included, and classes whose statics own threads (which ended with the process) are
// initialised anew.
package dev.retap.agent.device;

import android.widget.TextView;
import dev.retap.agent.world.Remembered;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.robolectric.internal.bytecode.ShadowConstants;

final class FrameworkStatics {
  private static final List<ThreadOwner> THREAD_OWNERS =
      List.of(
          new ThreadOwner("android.app.QueuedWork", 23),
          new ThreadOwner("android.app.SharedPreferencesImpl", 23),
          new ThreadOwner("android.appwidget.AppWidgetManager", 23),
          new ThreadOwner("android.os.AsyncTask", 23),
          new ThreadOwner("android.widget.RemoteViewsAdapter", 23),
          new ThreadOwner("com.android.internal.os.BackgroundThread", 23),
          new ThreadOwner("android.provider.FontsContract", 26),
          new ThreadOwner("android.window.SurfaceSyncGroup", 34));

  private FrameworkStatics() {}

  static void renew(int apiLevel) {
    Remembered.forget(loader -> loader instanceof AppClassLoader);
    // Decides whether a tap into a text shows handles; the clock begins anew, so it would lie ahead.
    ByType.setStatic(TextView.class, "sLastCutCopyOrTextChangedTime", 0L);
    for (ThreadOwner owner : THREAD_OWNERS) {
      if (owner.since <= apiLevel) {
        initialise(ByType.type(owner.name));
      }
    }
  }

  /** What the class initialiser does not set again was made on demand, and will be. */
  private static void initialise(Class<?> type) {
    try {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers())
            && !field.getType().isPrimitive()
            && field.getType() != String.class) {
          field.setAccessible(true);
          field.set(null, null);
        }
      }
      for (Method method : type.getDeclaredMethods()) {
        if (method.getName().equals(ShadowConstants.STATIC_INITIALIZER_METHOD_NAME)) {
          method.setAccessible(true);
          method.invoke(null);
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(type.getName(), e);
    }
  }

  /**
   * @param since the API level that brought it
   */
  private record ThreadOwner(String name, int since) {}
}
