// Static fields of the framework, which live as long as a process on a phone. Here the
// framework's classes outlive the app's process. Before the next process starts, they forget
// what they remember of the app, including points in time. Classes whose static fields own
// threads or animators are initialised anew, because those ended with the process. Numbers that the
// framework gives away begin at the first again.
package dev.retap.agent.device.app;

import android.content.Context;
import android.view.InputEvent;
import android.view.View;
import android.widget.TextView;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.device.robolectric.StaticInitializer;
import dev.retap.agent.world.jdk.FileWatch;
import dev.retap.agent.world.memory.StaticCollections;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

public final class FrameworkStatics {
  private static final List<StaticOwner> OWNERS =
      List.of(
          new StaticOwner("android.app.QueuedWork", 23),
          new StaticOwner("android.app.SharedPreferencesImpl", 23),
          new StaticOwner("android.appwidget.AppWidgetManager", 23),
          new StaticOwner("android.content.AsyncQueryHandler", 23),
          new StaticOwner("android.os.AsyncTask", 23),
          new StaticOwner("android.widget.RemoteViewsAdapter", 23),
          new StaticOwner("com.android.internal.os.BackgroundThread", 23),
          new StaticOwner("android.provider.FontsContract", 26),
          new StaticOwner("android.window.SurfaceSyncGroup", 34),
          // The animator of the back gesture. A process that ended while it ran would leave it
          // running, and the next process would come to rest a frame earlier.
          new StaticOwner("android.window.WindowOnBackInvokedDispatcher", 34));

  private FrameworkStatics() {}

  /** Prepares the framework for a new process of the app. */
  public static void renew(int apiLevel) {
    AppCalls.renew();
    AppProperties.renew();
    StaticCollections.removeObjectsOf(loader -> loader instanceof AppClassLoader);
    // Decides if a tap into a text shows handles. The clock starts again, so it would lie ahead.
    FrameworkFields.setStatic(TextView.class, "sLastCutCopyOrTextChangedTime", 0L);
    if (FileWatch.forget()) {
      StaticInitializer.rerun(FrameworkCalls.type("android.os.FileObserver"));
    }
    restartCounter(View.class, "sNextGeneratedId", 1);
    restartCounter(View.class, "sNextAccessibilityViewId", 0);
    restartCounter(Context.class, "sLastAutofillId", View.NO_ID);
    restartCounter(InputEvent.class, "mNextSeq", 0);
    for (StaticOwner owner : OWNERS) {
      if (owner.since <= apiLevel) {
        StaticInitializer.rerun(FrameworkCalls.type(owner.name));
      }
    }
  }

  /** Sets a counter, if this API level has it, back to its first value. */
  private static void restartCounter(Class<?> owner, String name, int first) {
    for (Field field : owner.getDeclaredFields()) {
      if (field.getName().equals(name)) {
        if (field.getType() == int.class) {
          FrameworkFields.setStatic(owner, name, first);
        } else {
          ((AtomicInteger) FrameworkFields.getStatic(owner, name)).set(first);
        }
      }
    }
  }

  /**
   * A class whose static fields own threads or animators.
   *
   * @param since the first API level whose class does
   */
  private record StaticOwner(String name, int since) {}
}
