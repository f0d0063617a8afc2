// Static fields of the framework, which live as long as a process on a phone. Here the
// framework's classes outlive the app's process. Before the next process starts, they forget
// what they remember of the app, including points in time. Classes whose static fields own
// threads are initialised anew, because the threads ended with the process.
package dev.retap.agent.device.app;

import android.widget.TextView;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.device.robolectric.StaticInitializer;
import dev.retap.agent.world.StaticCollections;
import dev.retap.agent.world.jdk.FileWatch;
import java.util.List;

public final class FrameworkStatics {
  private static final List<ThreadOwner> THREAD_OWNERS =
      List.of(
          new ThreadOwner("android.app.QueuedWork", 23),
          new ThreadOwner("android.app.SharedPreferencesImpl", 23),
          new ThreadOwner("android.appwidget.AppWidgetManager", 23),
          new ThreadOwner("android.content.AsyncQueryHandler", 23),
          new ThreadOwner("android.os.AsyncTask", 23),
          new ThreadOwner("android.widget.RemoteViewsAdapter", 23),
          new ThreadOwner("com.android.internal.os.BackgroundThread", 23),
          new ThreadOwner("android.provider.FontsContract", 26),
          new ThreadOwner("android.window.SurfaceSyncGroup", 34));

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
    for (ThreadOwner owner : THREAD_OWNERS) {
      if (owner.since <= apiLevel) {
        StaticInitializer.rerun(FrameworkCalls.type(owner.name));
      }
    }
  }

  /**
   * A class whose static fields own threads.
   *
   * @param since the API level that introduced the class
   */
  private record ThreadOwner(String name, int since) {}
}
