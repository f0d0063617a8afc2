// The phone: one app on one API level. It resets the app, hands events to it and turns what
// happened into an observation.
package dev.retap.agent.device;

import android.net.Uri;
import android.os.SystemClock;
import android.view.ViewRootImpl;
import dev.retap.agent.coverage.Probes;
import dev.retap.agent.device.app.AppClasses;
import dev.retap.agent.device.app.AppCode;
import dev.retap.agent.device.app.DataFolder;
import dev.retap.agent.device.app.JdkStatics;
import dev.retap.agent.device.app.ThreadLocals;
import dev.retap.agent.device.clock.AndroidClock;
import dev.retap.agent.device.clock.IdleWaiter;
import dev.retap.agent.device.clock.LooperDeadlines;
import dev.retap.agent.device.display.DisplaySetup;
import dev.retap.agent.device.outcome.LogLines;
import dev.retap.agent.device.outcome.StackText;
import dev.retap.agent.device.outcome.StepEnding;
import dev.retap.agent.device.process.RunningCode;
import dev.retap.agent.device.robolectric.RobolectricEnvironment;
import dev.retap.agent.device.screen.ScreenEncoder.EncodedScreen;
import dev.retap.agent.device.system.activity.Task;
import dev.retap.agent.wire.Event;
import dev.retap.agent.wire.Install;
import dev.retap.agent.wire.KeptData;
import dev.retap.agent.wire.KeptScreen;
import dev.retap.agent.wire.Observation;
import dev.retap.agent.wire.Observation.Outcome;
import dev.retap.agent.wire.Phone;
import dev.retap.agent.wire.TestContinue;
import dev.retap.agent.wire.TestReport;
import dev.retap.agent.wire.TestStart;
import dev.retap.agent.wire.Transfer;
import dev.retap.agent.world.Decisions;
import dev.retap.agent.world.ProcessEnded;
import dev.retap.agent.world.UncaughtExceptions;
import dev.retap.agent.world.World;
import dev.retap.agent.world.jdk.Console;
import dev.retap.agent.world.jdk.ProcessExit;
import dev.retap.agent.world.net.Network;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.RuntimeEnvironment;

public final class EmbeddedPhone implements Phone {
  private static final int MAX_FOCUS_MOVES = 10;

  /** The time that a screen which takes no touch, such as a splash, gets to go on by itself. */
  private static final int PATIENCE_MILLIS = 5_000;

  private final RobolectricEnvironment environment;
  private final StepEnding ending = new StepEnding(RunningCode::throwerName);
  private final DataFolder dataFolder = new DataFolder();
  private final JdkStatics jdkStatics = new JdkStatics();
  private IdleWaiter idle;
  private Install install;
  private AppClasses classes;
  private RunningApp app;

  /** A window that stayed inert and is not waited for again. */
  private ViewRootImpl inertWindow;

  private long worldSeed;

  /** The instrumentation that the app runs under, or null. */
  private TestSession tests;

  public EmbeddedPhone(Object environment) {
    this.environment = new RobolectricEnvironment(environment);
  }

  @Override
  public void install(Install install) {
    this.install = install;
  }

  @Override
  public Observation reset(long worldSeed) {
    dataFolder.wipe();
    return launchFirst(worldSeed, 0);
  }

  @Override
  public Observation update(long worldSeed, KeptData data) {
    dataFolder.wipe();
    dataFolder.unpack(data.files());
    return launchFirst(worldSeed, data.uptimeMillis());
  }

  @Override
  public KeptData keepData() {
    return new KeptData(SystemClock.uptimeMillis(), dataFolder.pack());
  }

  @Override
  public Observation startTests(TestStart start) {
    if (start.cleanInstall() || dataFolder.path() == null) {
      dataFolder.wipe();
    }
    worldSeed = start.worldSeed();
    boot(new ArrayList<>(), new TestSession(start, ending));
    Probes.forget();
    LogLines.drain();
    Runnable step =
        () -> {
          app.start();
          if (start.launches()) {
            app.launch();
          }
        };
    return observeTests(step, TestContinue.upTo(start.limitMillis()));
  }

  @Override
  public Observation continueTests(TestContinue how) {
    return observeTests(() -> {}, how);
  }

  @Override
  public List<Transfer> takeTransfers() {
    return tests == null ? List.of() : tests.takeTransfers();
  }

  @Override
  public List<TestReport> takeReports() {
    return tests == null ? List.of() : tests.takeReports();
  }

  @Override
  public KeptScreen keptScreen() {
    if (ending.outcome() == Outcome.RUNNING) {
      app.keepScreen(tests);
    }
    return tests.keptScreen();
  }

  /** Runs the instrumentation until it reports. */
  private Observation observeTests(Runnable step, TestContinue how) {
    long before = SystemClock.uptimeMillis();
    run(
        () -> {
          step.run();
          tests.run(idle, how);
        });
    return new Observation(
        ending.outcome(),
        ending.detail(),
        ending.thread(),
        SystemClock.uptimeMillis() - before,
        new byte[0],
        LogLines.drain(),
        ending.drainLimitations(),
        ending.doubts());
  }

  /** Launches the app in a new world, whose clock goes on from a time if one is given. */
  private Observation launchFirst(long worldSeed, long uptimeMillis) {
    this.worldSeed = worldSeed;
    boot(new ArrayList<>(), null);
    if (uptimeMillis > SystemClock.uptimeMillis()) {
      SystemClock.setCurrentTimeMillis(uptimeMillis);
    }
    if (!app.canBeLaunched()) {
      throw new IllegalStateException("the app has no launcher activity");
    }
    Probes.forget();
    // The boot's log is not the app's, and the first boot of this JVM logs more.
    LogLines.drain();
    return observe(
        () -> {
          app.start();
          app.launch();
        });
  }

  @Override
  public Observation perform(Event event) {
    if (ending.outcome() == Outcome.EXITED && event instanceof Event.Launch) {
      return observe(() -> startAgain(new ArrayList<>()));
    }
    if (ending.outcome() != Outcome.RUNNING) {
      return new Observation(
          Outcome.EXITED, "", "", 0, new byte[0], List.of(), List.of(), List.of());
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
  public byte[] readContent(String uri) throws IOException {
    World.setInHost(false);
    try (InputStream in =
        RuntimeEnvironment.getApplication().getContentResolver().openInputStream(Uri.parse(uri))) {
      return in.readAllBytes();
    } finally {
      World.setInHost(true);
    }
  }

  @Override
  public byte[] screenshot() {
    return app.screenshot();
  }

  /** Ends the process in the background, as the system does for memory, and brings it back. */
  private void dieAndReturn() {
    app.goHome();
    idle.settle();
    startAgain(app.savedTasks());
  }

  /** Starts a new process on the same data. */
  private void startAgain(List<Task> tasks) {
    long now = SystemClock.uptimeMillis();
    worldSeed = worldSeed * 31 + 1;
    boot(tasks, null);
    World.setInHost(false);
    SystemClock.setCurrentTimeMillis(now);
    app.start();
    app.launch();
  }

  private void boot(List<Task> tasks, TestSession session) {
    boolean haveThreadsEnded = World.end();
    // The app's loader takes its place when the process starts, and stays to the end of it.
    Thread.currentThread().setContextClassLoader(EmbeddedPhone.class.getClassLoader());
    Network.closeAll();
    ThreadLocals.forget();
    jdkStatics.restore();
    Console.renew();
    environment.reset();
    ending.clear();
    app = null;
    tests = session;
    inertWindow = null;
    environment.setUp(DisplaySetup.qualifiers(install), Path.of(install.apks().get(0)));
    SystemClock.setCurrentTimeMillis(AndroidClock.UPTIME_MILLIS);
    Thread.setDefaultUncaughtExceptionHandler(ending::recordUncaught);
    UncaughtExceptions.setListener(ending::recordUncaught);
    ProcessExit.setListener(
        code -> {
          RunningCode.exitOther();
          StepEnding.exit(Integer.toString(code));
        });
    if (classes == null) {
      classes = openClasses();
    }
    LooperDeadlines deadlines = new LooperDeadlines();
    idle = new IdleWaiter(deadlines, ending);
    if (session != null) {
      Decisions.plan(session.decisions());
      Decisions.setMainTask(deadlines::describeNext);
    }
    World.begin(worldSeed, new AndroidClock(deadlines));
    app =
        new RunningApp(
            install,
            classes.begin(haveThreadsEnded),
            classes::beginOther,
            dataFolder.path(),
            idle,
            tasks,
            session);
  }

  /** Runs one step until the app is at rest; every ending becomes part of the observation. */
  private Observation observe(Runnable step) {
    long before = SystemClock.uptimeMillis();
    run(
        () -> {
          RunningCode.guard(step);
          idle.settle();
          settleFocus();
        });
    EncodedScreen screen = ending.outcome() == Outcome.RUNNING ? readScreen() : null;
    long passed = SystemClock.uptimeMillis() - before;
    List<String> log = LogLines.drain();
    if (ending.outcome() != Outcome.RUNNING) {
      return new Observation(
          ending.outcome(),
          ending.detail(),
          ending.thread(),
          passed,
          new byte[0],
          log,
          ending.drainLimitations(),
          ending.doubts());
    }
    boolean left = hasLeft();
    return new Observation(
        left ? Outcome.LEFT : Outcome.RUNNING,
        left ? app.packageInFront() : "",
        "",
        passed,
        screen.bytes(),
        log,
        ending.drainLimitations(),
        List.of());
  }

  /** Runs code of the app; an exception that it does not catch is its ending. */
  private void run(Runnable code) {
    World.setInHost(false);
    try {
      code.run();
    } catch (Throwable uncaught) {
      ending.recordUncaught(Thread.currentThread(), uncaught);
    } finally {
      World.setInHost(true);
    }
  }

  /** Moves the focus until it stays. A window that gains it may open another, but not for ever. */
  private void settleFocus() {
    for (int i = 0; i < MAX_FOCUS_MOVES && app.moveFocus(); i++) {
      idle.settle();
    }
  }

  /** Reads the screen. Its views are the app's code, which may end the process even here. */
  private EncodedScreen readScreen() {
    try {
      return awaitTouchableScreen();
    } catch (ProcessEnded e) {
      if (ending.outcome() == Outcome.RUNNING) {
        throw new IllegalStateException("the screen cannot be read", e);
      }
      return null;
    }
  }

  /**
   * Returns the screen once something on it takes a touch, as a user waits for a splash to go on. A
   * screen that stays inert, such as a game's, is waited for only once.
   */
  private EncodedScreen awaitTouchableScreen() {
    EncodedScreen screen = app.screen();
    ViewRootImpl front = app.front();
    if (!screen.isInert() || hasLeft() || front == inertWindow) {
      inertWindow = screen.isInert() ? inertWindow : null;
      return screen;
    }
    long latest = SystemClock.uptimeMillis() + PATIENCE_MILLIS;
    while (screen.isInert() && !hasLeft() && idle.isDueBy(latest)) {
      run(
          () -> {
            idle.skipToNext();
            settleFocus();
          });
      if (ending.outcome() != Outcome.RUNNING) {
        return screen;
      }
      screen = app.screen();
    }
    inertWindow = front;
    return screen;
  }

  private boolean hasLeft() {
    return !app.packageInFront().equals(app.packageName());
  }

  private AppClasses openClasses() {
    try {
      String android = RuntimeEnvironment.getAndroidFrameworkJarPath().toString();
      return new AppClasses(
          new AppCode(install, android),
          EmbeddedPhone.class.getClassLoader(),
          install.sharesClasses());
    } catch (IOException e) {
      throw new UncheckedIOException("prepared APK", e);
    }
  }
}
