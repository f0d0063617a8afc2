// An app at work: its process, the system server it talks to, its windows and input.
package dev.retap.agent.device;

import android.content.Intent;
import android.view.KeyEvent;
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
  private final Components components;
  private final OutsideWorld outsideWorld;
  private final ActivityTasks tasks;
  private final Broadcasts broadcasts;
  private final SystemEvents system;
  private final Input input;
  private final Focus focus = new Focus();

  RunningApp(Install install, AppCode code, Path data, Rest rest, List<Task> formerTasks) {
    this.rest = rest;
    int apiLevel = RuntimeEnvironment.getApiLevel();
    SystemServer server = new SystemServer(apiLevel);
    AppClassLoader loader = new AppClassLoader(code, RunningApp.class.getClassLoader());
    process = new AppProcess(loader, Path.of(install.apk()), data);
    Screen.setUp(install, install.width() > install.height());
    components = new Components(process.context);
    outsideWorld = new OutsideWorld(install.outside(), process.context.getContentResolver());
    outsideWorld.install(process.context);
    Orientation orientation = new Orientation(install);
    tasks =
        new ActivityTasks(
            components, ActivityClient.of(process.thread, apiLevel), outsideWorld, orientation,
            formerTasks);
    tasks.serve(server.stub);
    Permissions permissions = new Permissions(components, java.util.Set.of());
    permissions.serve(server.stub);
    permissions.serve(server.packages);
    StockProviders providers =
        new StockProviders(RuntimeEnvironment.systemContext, data.resolve("system").toFile());
    providers.serve(server.stub);
    outsideWorld.setStage(
        new OutsideScreen(
            RuntimeEnvironment.systemContext, components, outsideWorld, tasks, permissions,
            new Picker(providers, process.context.getContentResolver())));
    Object thread = process.thread.getApplicationThread();
    new Services(components, thread, apiLevel).serve(server.stub);
    broadcasts = new Broadcasts(components, thread);
    broadcasts.serve(server.stub);
    system = new SystemEvents(orientation, tasks, broadcasts, thread);
    input = new Input(this::windows, focus, rest);
  }

  /** The application's own start; no activity yet. */
  void start() {
    process.start();
  }

  void goHome() {
    tasks.goHome();
  }

  /** The back stack with what each activity saved, fit for a process with other classes. */
  List<Task> savedTasks() {
    List<Task> saved = tasks.tasks();
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
      system.rotate(rotate.landscape());
    } else if (event instanceof Event.StartIntent start) {
      tasks.start(null, Intents.of(start.intent()), null, -1);
    } else if (event instanceof Event.Broadcast broadcast) {
      broadcasts.send(Intents.of(broadcast.intent()), false);
    } else if (event instanceof Event.SystemChange change) {
      system.perform(change.what(), change.arguments());
    } else if (event instanceof Event.Close) {
      tasks.close();
    } else if (event instanceof Event.Wait wait) {
      rest.advance(wait.ms());
    } else if (event instanceof Event.Launch) {
      launch();
    } else {
      throw new IllegalArgumentException("event not known here: " + event);
    }
  }

  String packageName() {
    return components.packageName();
  }

  String packageInFront() {
    OutsideWorld.Visit visit = outsideWorld.current();
    if (visit != null && !visit.overlay()) {
      return visit.app();
    }
    return tasks.visible().isEmpty() ? HOME : packageName();
  }

  List<Window> windows() {
    return WindowList.visible(tasks.visible());
  }

  /** Gives the focus to the window in front; says whether that changed anything. */
  boolean moveFocus() {
    return focus.update(windows());
  }

  byte[] screen() {
    List<Window> windows = windows();
    List<ActivityRecord> visible = tasks.visible();
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
    Intent launcher = components.launcher();
    if (launcher == null) {
      throw new IllegalStateException("no launcher activity");
    }
    tasks.launcher(launcher);
  }

  private void key(String name) {
    switch (name) {
      case "home" -> tasks.goHome();
      case "back" -> {
        if (outsideWorld.current() != null) {
          // A question about permissions has no way back.
          if (!outsideWorld.current().overlay()) {
            tasks.outsideDone(android.app.Activity.RESULT_CANCELED, null);
          }
        } else {
          input.key(KeyEvent.KEYCODE_BACK);
        }
      }
      default -> input.key(KeyEvent.keyCodeFromString("KEYCODE_" + name.toUpperCase(java.util.Locale.ROOT)));
    }
  }
}
