// What the framework keeps in statics for as long as a process lives. Here its classes outlive the
// app's process, so before the next one starts, classes remembered by name are forgotten, and
// classes whose statics own threads (which ended with the process) are initialised anew.
package dev.retap.agent.device;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import org.robolectric.internal.bytecode.ShadowConstants;

final class FrameworkStatics {
  private static final String[][] CACHES = {
    {"android.app.Fragment", "sClassMap"},
    {"android.view.LayoutInflater", "sConstructorMap"},
    {"android.preference.GenericInflater", "sConstructorMap"},
    {"android.transition.TransitionInflater", "sConstructors"},
    {"android.graphics.drawable.DrawableInflater", "CONSTRUCTOR_MAP"},
  };

  /** By the API level that brought them. */
  private static final Map<String, Integer> THREAD_OWNERS =
      Map.of(
          "android.app.QueuedWork", 23,
          "android.app.SharedPreferencesImpl", 23,
          "android.appwidget.AppWidgetManager", 23,
          "android.os.AsyncTask", 23,
          "android.widget.RemoteViewsAdapter", 23,
          "com.android.internal.os.BackgroundThread", 23,
          "android.provider.FontsContract", 26,
          "android.window.SurfaceSyncGroup", 34);

  private FrameworkStatics() {}

  static void renew(int apiLevel) {
    for (String[] cache : CACHES) {
      Class<?> owner = ByType.type(cache[0]);
      if (ByType.hasField(owner, cache[1])) {
        ((Map<?, ?>) ByType.getStatic(owner, cache[1])).clear();
      }
    }
    THREAD_OWNERS.forEach(
        (name, since) -> {
          if (since <= apiLevel) {
            initialise(ByType.type(name));
          }
        });
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
}
