// The run of an instrumentation on the phone: its reports, and the screens that it leaves behind.
package dev.retap.agent.device;

import android.os.SystemClock;
import dev.retap.agent.device.app.TestPackage;
import dev.retap.agent.device.clock.IdleWaiter;
import dev.retap.agent.device.instrument.ForwardedPorts;
import dev.retap.agent.device.instrument.InputRecorder;
import dev.retap.agent.device.instrument.InstrumentationReports;
import dev.retap.agent.device.instrument.UiAutomationServer;
import dev.retap.agent.device.outcome.StepEnding;
import dev.retap.agent.device.outcome.ThreadStacks;
import dev.retap.agent.wire.KeptScreen;
import dev.retap.agent.wire.Observation.Outcome;
import dev.retap.agent.wire.TestContinue;
import dev.retap.agent.wire.TestReport;
import dev.retap.agent.wire.TestStart;
import dev.retap.agent.wire.TestStart.Keeps;
import dev.retap.agent.wire.Transfer;
import dev.retap.agent.world.Decisions;
import java.nio.file.Path;
import java.util.List;

final class TestSession {
  private final TestStart start;
  private final InstrumentationReports reports;
  private final UiAutomationServer automation = new UiAutomationServer();
  private final ForwardedPorts ports = new ForwardedPorts();
  private KeptScreen kept = KeptScreen.NONE;
  private InputRecorder recorder;

  TestSession(TestStart start, StepEnding ending) {
    this.start = start;
    reports = new InstrumentationReports(() -> ending.outcome() != Outcome.RUNNING);
  }

  /** Returns where the decisions of the test's world come from. */
  Decisions.Plan decisions() {
    return new Decisions.Plan(start.otherSeed(), start.switchAt(), start.describedAt());
  }

  InstrumentationReports reports() {
    return reports;
  }

  UiAutomationServer automation() {
    return automation;
  }

  TestPackage testPackage(String apk, Path data) {
    return new TestPackage(
        apk,
        data,
        start.runner(),
        start.arguments(),
        reports.watcher(),
        automation.connection(),
        start.launches());
  }

  /** Runs the app until the instrumentation reports or is late, or forwarded ports have news. */
  void run(IdleWaiter idle, TestContinue how) {
    reports.release();
    ports.deliver(how.transfers());
    boolean canPause = how.pauseMillis() < how.limitMillis();
    long latest = SystemClock.uptimeMillis() + Math.min(how.limitMillis(), how.pauseMillis());
    boolean isHeard = idle.runUntil(reports::hasNews, ports::hasNews, latest);
    if (!isHeard && canPause) {
      idle.pass(latest - SystemClock.uptimeMillis());
    } else if (!isHeard) {
      reports.noteLate(ThreadStacks.ofApp());
    }
  }

  /** Returns what forwarded ports sent. Any thread may call this. */
  List<Transfer> takeTransfers() {
    return ports.take();
  }

  Keeps keeps() {
    return start.keeps();
  }

  void noteRotation(boolean toLandscape) {
    if (recorder != null) {
      recorder.rotate(toLandscape);
    }
  }

  void setRecorder(InputRecorder recorder) {
    this.recorder = recorder;
  }

  void keep(byte[] screen, byte[] picture) {
    kept = new KeptScreen(screen, picture, List.of());
  }

  KeptScreen keptScreen() {
    return recorder == null
        ? kept
        : new KeptScreen(kept.screen(), kept.picture(), recorder.inputs());
  }

  List<TestReport> takeReports() {
    return reports.take();
  }
}
