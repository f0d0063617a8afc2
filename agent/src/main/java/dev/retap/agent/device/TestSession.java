// The run of an instrumentation on the phone: its reports, and the screens that it leaves behind.
package dev.retap.agent.device;

import android.os.SystemClock;
import dev.retap.agent.device.app.TestPackage;
import dev.retap.agent.device.clock.IdleWaiter;
import dev.retap.agent.device.instrument.InstrumentationReports;
import dev.retap.agent.device.instrument.UiAutomationServer;
import dev.retap.agent.device.outcome.StepEnding;
import dev.retap.agent.device.outcome.ThreadStacks;
import dev.retap.agent.wire.Observation.Outcome;
import dev.retap.agent.wire.TestReport;
import dev.retap.agent.wire.TestStart;
import java.nio.file.Path;
import java.util.List;

final class TestSession {
  private final TestStart start;
  private final InstrumentationReports reports;
  private final UiAutomationServer automation = new UiAutomationServer();
  private List<byte[]> keptScreen = List.of(new byte[0], new byte[0]);

  TestSession(TestStart start, StepEnding ending) {
    this.start = start;
    reports = new InstrumentationReports(() -> ending.outcome() != Outcome.RUNNING);
  }

  InstrumentationReports reports() {
    return reports;
  }

  UiAutomationServer automation() {
    return automation;
  }

  TestPackage testPackage(String apk, Path data) {
    return new TestPackage(
        apk, data, start.runner(), start.arguments(), reports.watcher(), automation.connection());
  }

  /** Runs the app until the instrumentation reports, or is late. */
  void run(IdleWaiter idle, long limitMillis) {
    reports.release();
    if (!idle.runUntil(reports::hasNews, SystemClock.uptimeMillis() + limitMillis)) {
      reports.noteLate(ThreadStacks.ofApp());
    }
  }

  boolean keepsScreens() {
    return start.keepsScreens();
  }

  void keep(byte[] screen, byte[] picture) {
    keptScreen = List.of(screen, picture);
  }

  List<byte[]> keptScreen() {
    return keptScreen;
  }

  List<TestReport> takeReports() {
    return reports.take();
  }
}
