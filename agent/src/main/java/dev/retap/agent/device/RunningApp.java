// A running app: its process, the system server it talks to, its windows and input.
package dev.retap.agent.device;

import android.content.ComponentName;
import android.content.Intent;
import android.os.Process;
import android.view.KeyEvent;
import android.view.ViewRootImpl;
import dev.retap.agent.device.app.AppCalls;
import dev.retap.agent.device.app.AppClassLoader;
import dev.retap.agent.device.app.AppProcess;
import dev.retap.agent.device.app.TestPackage;
import dev.retap.agent.device.clock.IdleWaiter;
import dev.retap.agent.device.display.DisplaySetup;
import dev.retap.agent.device.input.InputDispatcher;
import dev.retap.agent.device.input.InputInjection;
import dev.retap.agent.device.input.SoftKeyboard;
import dev.retap.agent.device.input.TextEntry;
import dev.retap.agent.device.input.WindowFocus;
import dev.retap.agent.device.instrument.InputRecorder;
import dev.retap.agent.device.instrument.shell.PhoneControl;
import dev.retap.agent.device.process.AppProcesses;
import dev.retap.agent.device.process.RunningCode;
import dev.retap.agent.device.screen.ScreenEncoder;
import dev.retap.agent.device.screen.ScreenEncoder.EncodedScreen;
import dev.retap.agent.device.screen.Screenshot;
import dev.retap.agent.device.screen.SystemBars;
import dev.retap.agent.device.screen.Window;
import dev.retap.agent.device.screen.WindowList;
import dev.retap.agent.device.system.activity.ActivityRecord;
import dev.retap.agent.device.system.activity.OutsideVisit;
import dev.retap.agent.device.system.activity.Task;
import dev.retap.agent.device.web.Browser;
import dev.retap.agent.shadow.WindowManagerGlobalShadow;
import dev.retap.agent.wire.Event;
import dev.retap.agent.wire.Install;
import dev.retap.agent.wire.TestStart.Keeps;
import dev.retap.agent.world.World;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.robolectric.RuntimeEnvironment;

final class RunningApp {
  private static final String HOME = "com.android.launcher3";

  private final IdleWaiter idle;
  private final AppProcesses processes;
  private final SystemServer server;
  private final InputDispatcher input;
  private final WindowFocus focus = new WindowFocus();

  /**
   * @param otherLoaders makes the class loader of a process beside the main one
   * @param tests the instrumentation to run the app under, or null
   */
  RunningApp(
      Install install,
      AppClassLoader loader,
      IntFunction<AppClassLoader> otherLoaders,
      Path data,
      IdleWaiter idle,
      List<Task> formerTasks,
      TestSession tests) {
    this.idle = idle;
    int apiLevel = RuntimeEnvironment.getApiLevel();
    server = new SystemServer(apiLevel);
    AppProcess process = new AppProcess(loader, install.apks(), data);
    processes = new AppProcesses(process, otherLoaders);
    processes.onStart(started -> idle.setProcesses(RunningCode::runMessage));
    DisplaySetup.apply(install, install.width() > install.height());
    String testPackage = null;
    if (tests != null) {
      TestPackage test = tests.testPackage(install.testApk(), data);
      testPackage = test.name();
      process.instrument(test);
      server.serve(tests.reports());
    }
    server.serve(install, processes, data, formerTasks, testPackage);
    input = new InputDispatcher(this::windows, focus, idle);
    InputInjection injection = new InputInjection(this::windows, input, focus, this::goHome);
    injection.install();
    if (tests != null) {
      tests
          .automation()
          .serve(
              new PhoneControl(
                  injection,
                  this::windows,
                  this::screenshot,
                  landscape -> rotate(tests, landscape),
                  server.permissions()::set,
                  intent -> server.tasks().start(null, intent, null, -1),
                  intent -> server.events().broadcast(intent),
                  (what, arguments) -> server.events().perform(what, arguments),
                  this::activityInFront,
                  () -> AppCalls.killProcess(Process.myPid())));
      if (tests.keeps() != Keeps.NOTHING) {
        record(tests, injection);
      }
    }
    Browser.install();
    WindowManagerGlobalShadow.takeChange();
    BooleanSupplier system = () -> WindowManagerGlobalShadow.takeChange() && moveFocus();
    idle.setSystem(system);
    World.setSystem(system);
  }

  /** Keeps the screens and the inputs of a test. */
  private void record(TestSession tests, InputInjection injection) {
    Supplier<byte[]> before =
        () -> {
          if (!isInFront()) {
            return null;
          }
          if (tests.keeps() == Keeps.EVERY_SCREEN) {
            keepScreen(tests);
          }
          return screen().bytes();
        };
    InputRecorder recorder = new InputRecorder(before, () -> server.components().launcher());
    tests.setRecorder(recorder);
    injection.setListener(recorder::take);
    server.tasks().setStartListener(recorder::start);
    server.tasks().setFinishListener(() -> keepScreen(tests));
  }

  private void rotate(TestSession tests, boolean landscape) {
    tests.noteRotation(landscape);
    server.events().rotate(landscape);
  }

  /** Keeps the screen and its picture if it shows the app. */
  void keepScreen(TestSession tests) {
    if (isInFront()) {
      tests.keep(screen().bytes(), screenshot());
    }
  }

  /** Returns true if the activity in front is the app's, and not a helper of the test. */
  private boolean isInFront() {
    List<ActivityRecord> visible = server.tasks().visible();
    return !visible.isEmpty()
        && visible.get(visible.size() - 1).info.packageName.equals(packageName());
  }

  /** Starts the application, but no activity. */
  void start() {
    processes.startMain();
  }

  void goHome() {
    server.tasks().goHome();
  }

  /** Returns the back stack with its saved states, ready for a process with other classes. */
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
      pressKey(key.name());
    } else if (event instanceof Event.Text text) {
      enterText(text);
    } else if (event instanceof Event.Rotate rotate) {
      server.events().rotate(rotate.landscape());
    } else if (event instanceof Event.StartIntent start) {
      server.tasks().start(null, IntentBuilder.of(start.intent()), null, -1);
    } else if (event instanceof Event.Broadcast broadcast) {
      server.events().broadcast(IntentBuilder.of(broadcast.intent()));
    } else if (event instanceof Event.SystemChange change) {
      server.events().perform(change.what(), change.arguments());
    } else if (event instanceof Event.Close) {
      server.tasks().close();
    } else if (event instanceof Event.Wait wait) {
      idle.advance(wait.ms());
    } else if (event instanceof Event.Launch) {
      launch();
    } else if (event instanceof Event.Hasty hasty) {
      hurry(hasty);
    } else {
      throw new IllegalArgumentException("event not known here: " + event);
    }
  }

  /** Performs events without letting the app come to rest between them. */
  private void hurry(Event.Hasty hasty) {
    input.holdWindows(windows());
    try (IdleWaiter.Haste haste = idle.hurry()) {
      for (int i = 0; i < hasty.events().size(); i++) {
        if (i > 0 && hasty.gapMs() > 0) {
          haste.passOnMain(hasty.gapMs(), false);
        }
        perform(hasty.events().get(i));
      }
      if (hasty.gapMs() > 0) {
        haste.passOnMain(hasty.gapMs(), true);
      }
      haste.catchUp();
    } finally {
      input.holdWindows(null);
    }
  }

  /** Taps a field and replaces its text. */
  private void enterText(Event.Text text) {
    input.tap(text.x(), text.y());
    idle.settle();
    moveFocus();
    idle.settle();
    Window focused = WindowFocus.of(windows());
    if (focused != null) {
      TextEntry.replace(focused.view(), text.text());
    }
  }

  String packageName() {
    return server.components().packageName();
  }

  /** Returns the activity in front, or null if there is none. */
  private ComponentName activityInFront() {
    List<ActivityRecord> visible = server.tasks().visible();
    return visible.isEmpty()
        ? null
        : new ComponentName(packageName(), visible.get(visible.size() - 1).info.name);
  }

  String packageInFront() {
    OutsideVisit visit = server.outside().current();
    if (visit != null && !visit.isOverlay()) {
      return visit.app();
    }
    return server.tasks().visible().isEmpty() ? HOME : packageName();
  }

  /** Returns the window in front, or null if there is none. */
  ViewRootImpl front() {
    List<Window> windows = windows();
    return windows.isEmpty() ? null : windows.get(windows.size() - 1).root();
  }

  List<Window> windows() {
    return WindowList.visible(
        server.tasks().visible().stream().map(record -> record.token).toList());
  }

  /** Gives the focus to the window in front; returns false if nothing changed. */
  boolean moveFocus() {
    return focus.update(windows());
  }

  EncodedScreen screen() {
    List<Window> windows = windows();
    List<ActivityRecord> visible = server.tasks().visible();
    String activity =
        visible.isEmpty() ? "" : packageName() + "/" + visible.get(visible.size() - 1).info.name;
    SoftKeyboard keyboard = focus.keyboard();
    int bottom = keyboard.isUp() ? keyboard.bounds().top : SystemBars.display().bottom;
    return ScreenEncoder.encode(
        new ScreenEncoder.Content(
            activity,
            packageName(),
            windows,
            WindowFocus.of(windows),
            focus.overlays(packageName()),
            bottom));
  }

  byte[] screenshot() {
    return Screenshot.png(windows(), focus.overlays(packageName()));
  }

  void launch() {
    Intent launcher = server.components().launcher();
    // An app can disable its own launcher activity; its icon is gone then.
    if (launcher != null) {
      server.tasks().launch(launcher);
    }
  }

  boolean canBeLaunched() {
    return server.components().launcher() != null;
  }

  private void pressKey(String name) {
    switch (name) {
      case "home" -> server.tasks().goHome();
      case "back" -> {
        if (server.outside().current() != null) {
          // A question about permissions cannot be left.
          if (!server.outside().current().isOverlay()) {
            server.tasks().returnFromOutside(android.app.Activity.RESULT_CANCELED, null);
          }
        } else {
          input.key(KeyEvent.KEYCODE_BACK);
        }
      }
      default ->
          input.key(
              KeyEvent.keyCodeFromString("KEYCODE_" + name.toUpperCase(java.util.Locale.ROOT)));
    }
  }
}
