// The windows of a process that has ended: the system takes them off the screen, and no code of the
// process hears of it.
package dev.retap.agent.device.process;

import android.view.View;
import android.view.WindowManagerGlobal;
import dev.retap.agent.device.reflect.FrameworkFields;
import java.util.List;

final class ProcessWindows {
  private ProcessWindows() {}

  static void remove(OtherProcess process) {
    WindowManagerGlobal global = WindowManagerGlobal.getInstance();
    List<?> views = (List<?>) FrameworkFields.get(global, "mViews");
    for (int i = views.size() - 1; i >= 0; i--) {
      if (belongs((View) views.get(i), process)) {
        for (String list : new String[] {"mViews", "mRoots", "mParams"}) {
          ((List<?>) FrameworkFields.get(global, list)).remove(i);
        }
      }
    }
  }

  private static boolean belongs(View view, OtherProcess process) {
    return view.getContext().getClassLoader() == process.loader;
  }
}
