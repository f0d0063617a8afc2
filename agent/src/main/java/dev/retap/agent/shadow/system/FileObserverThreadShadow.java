// The native half of the thread that tells an app's observers what happens to files. The rest is
// the framework's own code.
package dev.retap.agent.shadow.system;

import dev.retap.agent.world.jdk.FileWatch;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@Implements(className = "android.os.FileObserver$ObserverThread", isInAndroidSdk = false)
public class FileObserverThreadShadow {
  @RealObject private Thread real;

  @Implementation
  protected int init() {
    FileWatch.open();
    return 1;
  }

  @Implementation
  protected void observe(int descriptor) {
    try {
      while (true) {
        FileWatch.Event event = FileWatch.next();
        ReflectionHelpers.callInstanceMethod(
            real,
            "onEvent",
            ClassParameter.from(int.class, event.watch()),
            ClassParameter.from(int.class, event.mask()),
            ClassParameter.from(String.class, event.name()));
      }
    } catch (InterruptedException e) {
      // The app has ended its own thread of observers.
      Thread.currentThread().interrupt();
    }
  }

  @Implementation(maxSdk = 28)
  protected int startWatching(int descriptor, String path, int mask) {
    return FileWatch.add(path, mask);
  }

  @Implementation(minSdk = 29)
  protected void startWatching(int descriptor, String[] paths, int mask, int[] watches) {
    for (int i = 0; i < paths.length; i++) {
      watches[i] = FileWatch.add(paths[i], mask);
    }
  }

  @Implementation(maxSdk = 28)
  protected void stopWatching(int descriptor, int watch) {
    FileWatch.remove(watch);
  }

  @Implementation(minSdk = 29)
  protected void stopWatching(int descriptor, int[] watches) {
    for (int watch : watches) {
      FileWatch.remove(watch);
    }
  }
}
