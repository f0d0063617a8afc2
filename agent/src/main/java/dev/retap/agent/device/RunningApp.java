// An app at work: its process, the system server it talks to, its windows and input.
package dev.retap.agent.device;

import android.content.Intent;
import android.view.KeyEvent;
import android.view.ViewRootImpl;
import dev.retap.agent.device.WindowList.Window;
import dev.retap.agent.wire.Event;
import dev.retap.agent.wire.Install;
import java.nio.file.Path;
import java.util.List;
import org.robolectric.RuntimeEnvironment;

final class RunningApp {
  private static final String HOME = "com.android.launcher3";

  private final Rest rest;
  private final AppProcess process;
  private final SystemServer server;
  private final Input input;
  private final Focus focus = new Focus();

  RunningApp(Install install, AppCode code, Path data, Rest rest, List<Task> formerTasks) {
    this.rest = rest;
    int apiLevel = RuntimeEnvironment.getApiLevel();
    server = new SystemServer(apiLevel);
    AppClassLoader loader = new AppClassLoader(code, RunningApp.class.getClassLoader());
    process = new AppProcess(loader, install.apks(), data);
    Screen.setUp(install, install.width() > install.height());
    server.serve(install, process, data, formerTasks);
    input = new Input(this::windows, focus, rest);
  }

  /** The application's own start; no activity yet. */
  void start() {
    process.start();
  }

  void goHome() {
    server.tasks().goHome();
  }

  /** The back stack with what each activity saved, fit for a process with other classes. */
  List<Task> savedTasks() {
    List<Task> saved = server.tasks().tasks();
    saved.forEach(task -> task.activities.forEach(ActivityRecord::detachState));
    return saved;
  }

  void perform(Event event) {
    if (event instanceof Event.Tap tap) {
      input.tap(tap.x(), tap.y());
    } else if (event instanceof Event.LongPress press) {
      input.longPress(press.x(), press.y());
    } else if (event instanceof Event.Drag drag) {
      input.drag(drag.x1(), drag.y1(), drag.x2(), drag.y2(), drag.ms());
    } else if (event instanceof Event.Pinch pinch) {
      input.pinch(pinch.x(), pinch.y(), pinch.open(), pinch.span());
    } else if (event instanceof Event.Key key) {
      key(key.name());
    } else if (event instanceof Event.Text text) {
      input.tap(text.x(), text.y());
      rest.settle();
      moveFocus();
      rest.settle();
      Window focused = focus.of(windows());
      if (focused != null) {
        Typing.replace(focused.view(), text.text());
      }
    } else if (event instanceof Event.Rotate rotate) {
      server.events().rotate(rotate.landscape());
    } else if (event instanceof Event.StartIntent start) {
      server.tasks().start(null, Intents.of(start.intent()), null, -1);
    } else if (event instanceof Event.Broadcast broadcast) {
      server.broadcasts().send(Intents.of(broadcast.intent()), false);
    } else if (event instanceof Event.SystemChange change) {
      server.events().perform(change.what(), change.arguments());
    } else if (event instanceof Event.Close) {
      server.tasks().close();
    } else if (event instanceof Event.Wait wait) {
      rest.advance(wait.ms());
    } else if (event instanceof Event.Launch) {
      launch();
    } else {
      throw new IllegalArgumentException("event not known here: " + event);
    }
  }

  String packageName() {
    return server.components().packageName();
  }

  String packageInFront() {
    OutsideWorld.Visit visit = server.outside().current();
    if (visit != null && !visit.overlay()) {
      return visit.app();
    }
    return server.tasks().visible().isEmpty() ? HOME : packageName();
  }

  /** The window in front, null if there is none. */
  ViewRootImpl front() {
    List<Window> windows = windows();
    return windows.isEmpty() ? null : windows.get(windows.size() - 1).root();
  }

  List<Window> windows() {
    return WindowList.visible(server.tasks().visible());
  }

  /** Gives the focus to the window in front; says whether that changed anything. */
  boolean moveFocus() {
    return focus.update(windows());
  }

  Screen.Content screen() {
    List<Window> windows = windows();
    List<ActivityRecord> visible = server.tasks().visible();
    String activity =
        visible.isEmpty()
            ? ""
            : packageName() + "/" + visible.get(visible.size() - 1).info.name;
    return Screen.encode(activity, packageName(), windows, focus);
  }

  byte[] screenshot() {
    return Screenshot.png(windows(), focus.overlays(packageName()));
  }

  void launch() {
    Intent launcher = server.components().launcher();
    // An app may disable its own launcher activity while it runs: its icon is gone then.
    if (launcher != null) {
      server.tasks().launcher(launcher);
    }
  }

  boolean canBeLaunched() {
    return server.components().launcher() != null;
  }

  private void key(String name) {
    switch (name) {
      case "home" -> server.tasks().goHome();
      case "back" -> {
        if (server.outside().current() != null) {
          // A question about permissions has no way back.
          if (!server.outside().current().overlay()) {
            server.tasks().outsideDone(android.app.Activity.RESULT_CANCELED, null);
          }
        } else {
          input.key(KeyEvent.KEYCODE_BACK);
        }
      }
      default -> input.key(KeyEvent.keyCodeFromString("KEYCODE_" + name.toUpperCase(java.util.Locale.ROOT)));
    }
  }
}
