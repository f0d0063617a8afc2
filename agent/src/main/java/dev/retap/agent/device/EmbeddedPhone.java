// The phone: one app on one API level. Resets it, hands events to the running app and turns what
// happened into an observation.
package dev.retap.agent.device;

import android.os.SystemClock;
import android.view.ViewRootImpl;
import dev.retap.agent.coverage.Probes;
import dev.retap.agent.wire.Event;
import dev.retap.agent.wire.Install;
import dev.retap.agent.wire.Observation;
import dev.retap.agent.wire.Observation.Outcome;
import dev.retap.agent.wire.Phone;
import dev.retap.agent.world.Console;
import dev.retap.agent.world.Network;
import dev.retap.agent.world.Turns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.internal.TestEnvironment;
import org.robolectric.manifest.AndroidManifest;
import org.robolectric.nativeruntime.DefaultNativeRuntimeLoader;

public final class EmbeddedPhone implements Phone {
  private static final int MOST_FOCUS_MOVES = 10;

  /** How long a screen that takes no touch, such as a splash, is given to go on by itself. */
  private static final int PATIENCE_MILLIS = 5_000;

  private final TestEnvironment environment;
  private final Endings endings = new Endings();
  private final DataFolder data = new DataFolder();
  private Rest rest;
  private Install install;
  private AppCode code;
  private RunningApp app;
  private ViewRootImpl waitedFor;
  private boolean booted;
  private long worldSeed;

  public EmbeddedPhone(Object environment) {
    this.environment = (TestEnvironment) environment;
  }

  @Override
  public void install(Install install) {
    this.install = install;
  }

  @Override
  public Observation reset(long worldSeed) {
    data.wipe();
    this.worldSeed = worldSeed;
    boot(new ArrayList<>());
    if (!app.canBeLaunched()) {
      throw new IllegalStateException("the app has no launcher activity");
    }
    Probes.forget();
    // The boot's log is not the app's, and longer the first time in this process.
    Log.drain();
    return observe(
        () -> {
          app.start();
          app.launch();
        });
  }

  @Override
  public Observation perform(Event event) {
    if (endings.outcome() == Outcome.EXITED && event instanceof Event.Launch) {
      return observe(() -> startAgain(new ArrayList<>()));
    }
    if (endings.outcome() != Outcome.RUNNING) {
      return new Observation(Outcome.EXITED, "", "", 0, new byte[0], List.of(), List.of());
    }
    if (event instanceof Event.SystemChange change && change.what().equals("process_death")) {
      return observe(this::dieAndReturn);
    }
    return observe(() -> app.perform(event));
  }

  @Override
  public List<String> frames(StackTraceElement[] stack) {
    return StackText.frames(stack);
  }

  @Override
  public byte[] screenshot() {
    return app.screenshot();
  }

  /** Ends the process in the background, as the system does for memory, and brings it back. */
  private void dieAndReturn() {
    app.goHome();
    rest.settle();
    startAgain(app.savedTasks());
  }

  /** A new process on the same data. */
  private void startAgain(List<Task> tasks) {
    long now = SystemClock.uptimeMillis();
    worldSeed = worldSeed * 31 + 1;
    boot(tasks);
    Turns.setInHost(false);
    SystemClock.setCurrentTimeMillis(now);
    app.start();
    app.launch();
  }

  private void boot(List<Task> tasks) {
    Turns.end();
    Network.closeAll();
    ThreadState.forget();
    Console.renew();
    if (booted) {
      environment.resetState();
      RuntimeEnvironment.getTempDirectory().destroy();
    }
    endings.clear();
    app = null;
    waitedFor = null;
    environment.setUpApplicationState("retap", new Modes(Screen.qualifiers(install)), manifest());
    // Now, because loading it later would look for its files through the app's class loader.
    DefaultNativeRuntimeLoader.injectAndLoad();
    booted = true;
    Thread.setDefaultUncaughtExceptionHandler(endings::crashed);
    if (code == null) {
      code = openCode();
    }
    Loopers loopers = new Loopers();
    rest = new Rest(loopers, endings);
    Turns.begin(worldSeed, new Time(loopers));
    app = new RunningApp(install, code, data.path(), rest, tasks);
  }

  /** Runs one step to rest; whatever it ends in becomes data. */
  private Observation observe(Runnable step) {
    long before = SystemClock.uptimeMillis();
    run(
        () -> {
          step.run();
          rest.settle();
          settleFocus();
        });
    Screen.Content screen = endings.outcome() == Outcome.RUNNING ? pastBareScreen() : null;
    long passed = SystemClock.uptimeMillis() - before;
    List<String> log = Log.drain();
    if (endings.outcome() != Outcome.RUNNING) {
      return new Observation(
          endings.outcome(), endings.detail(), endings.thread(), passed, new byte[0], log,
          endings.limitations());
    }
    boolean left = hasLeft();
    return new Observation(
        left ? Outcome.LEFT : Outcome.RUNNING, left ? app.packageInFront() : "", "", passed,
        screen.encoded(), log, List.of());
  }

  /** Runs code of the app's; an exception that comes out of it is its ending. */
  private void run(Runnable code) {
    Turns.setInHost(false);
    try {
      code.run();
    } catch (Throwable ending) {
      endings.crashed(Thread.currentThread(), ending);
    } finally {
      Turns.setInHost(true);
    }
  }

  /** A window that gains the focus may open another one in turn, but not for ever. */
  private void settleFocus() {
    for (int i = 0; i < MOST_FOCUS_MOVES && app.moveFocus(); i++) {
      rest.settle();
    }
  }

  /**
   * The screen, once something on it takes a touch: a user waits for a splash to go on. One that
   * stays as it is, perhaps a game's, is waited for once.
   */
  private Screen.Content pastBareScreen() {
    Screen.Content screen = app.screen();
    ViewRootImpl front = app.front();
    if (!screen.bare() || hasLeft() || front == waitedFor) {
      waitedFor = screen.bare() ? waitedFor : null;
      return screen;
    }
    long latest = SystemClock.uptimeMillis() + PATIENCE_MILLIS;
    while (screen.bare() && !hasLeft() && rest.isDueBy(latest)) {
      run(
          () -> {
            rest.goOn();
            settleFocus();
          });
      if (endings.outcome() != Outcome.RUNNING) {
        return screen;
      }
      screen = app.screen();
    }
    waitedFor = front;
    return screen;
  }

  private boolean hasLeft() {
    return !app.packageInFront().equals(app.packageName());
  }

  private AppCode openCode() {
    try {
      return new AppCode(install, RuntimeEnvironment.getAndroidFrameworkJarPath().toString());
    } catch (IOException e) {
      throw new UncheckedIOException("prepared APK", e);
    }
  }

  private AndroidManifest manifest() {
    return new AndroidManifest(null, null, null, null, "", Path.of(install.apks().get(0)));
  }
}
