// What an instrumentation reports. The thread that reports a status waits until the host has seen
// it, so that the host can look at the screen and the coverage of each test.
package dev.retap.agent.device.instrument;

import android.os.Bundle;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.outcome.PrintedStack;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.wire.TestReport;
import dev.retap.agent.wire.TestReport.Kind;
import dev.retap.agent.world.Blocking;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

public final class InstrumentationReports {
  private final List<TestReport> reports = new ArrayList<>();
  private final BooleanSupplier hasProcessEnded;
  private boolean isWaiting;
  private boolean isFinished;

  /**
   * @param hasProcessEnded whether the app's process has ended; what its threads report while they
   *     unwind does not count
   */
  public InstrumentationReports(BooleanSupplier hasProcessEnded) {
    this.hasProcessEnded = hasProcessEnded;
  }

  /** Returns an IInstrumentationWatcher. */
  public Object watcher() {
    return new BinderStub()
        .on("instrumentationStatus", this::status)
        .on("instrumentationFinished", call -> null)
        .as(FrameworkCalls.type("android.app.IInstrumentationWatcher"));
  }

  /** Takes what the framework reports to the activity manager. */
  public void serve(BinderStub activityManager) {
    activityManager
        .on("finishInstrumentation", this::finish)
        .on(
            "addInstrumentationResults",
            call -> {
              add(new TestReport(Kind.STATUS, 0, values(call.first(Bundle.class))));
              return null;
            });
  }

  /** Returns true once there is a report that the host has not seen. */
  public synchronized boolean hasNews() {
    return isWaiting || isFinished;
  }

  /** Lets the reporting thread go on. */
  public synchronized void release() {
    isWaiting = false;
    Blocking.notifyEvery(this);
  }

  /** Notes that no report came in time, and what the app's threads do instead. */
  public void noteLate(String stacks) {
    add(new TestReport(Kind.LATE, 0, List.of("stacks", stacks)));
  }

  public synchronized List<TestReport> take() {
    List<TestReport> taken = new ArrayList<>(reports);
    reports.clear();
    return taken;
  }

  private synchronized void add(TestReport report) {
    if (!hasProcessEnded.getAsBoolean()) {
      reports.add(report);
    }
  }

  private synchronized Object status(BinderCall call) {
    add(new TestReport(Kind.STATUS, call.number(0), values(call.first(Bundle.class))));
    isWaiting = true;
    boolean interrupted = false;
    while (isWaiting) {
      try {
        Blocking.await(this);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return null;
  }

  private synchronized Object finish(BinderCall call) {
    add(new TestReport(Kind.RESULT, call.number(0), values(call.first(Bundle.class))));
    isFinished = true;
    return null;
  }

  private static List<String> values(Bundle bundle) {
    List<String> values = new ArrayList<>();
    if (bundle != null) {
      for (String key : new TreeSet<>(bundle.keySet())) {
        values.add(key);
        String value = String.valueOf(bundle.get(key));
        values.add(key.equals("stack") ? PrintedStack.clean(value) : value);
      }
    }
    return values;
  }
}
