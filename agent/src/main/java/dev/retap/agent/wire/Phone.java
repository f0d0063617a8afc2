// The phone inside the sandbox, as the host calls it on the app's main thread. The interface lives
// in a package that both sides share, because the sandbox loads its own copy of other classes.
package dev.retap.agent.wire;

import java.util.List;

public interface Phone {
  void install(Install install);

  Observation reset(long worldSeed);

  /** Launches the app on the data that another version of it left, instead of a clean install. */
  Observation update(long worldSeed, KeptData data);

  /** Returns the data of the app for another version of it. */
  KeptData keepData();

  Observation perform(Event event);

  /** Starts the app under a test APK's instrumentation and runs it until that reports. */
  Observation startTests(TestStart start);

  /** Runs the instrumentation on until it reports again, or forwarded ports have news. */
  Observation continueTests(TestContinue how);

  /** Returns what forwarded ports sent since the last call. Any thread may call this. */
  List<Transfer> takeTransfers();

  /** Returns what the instrumentation reported since the last call. Any thread may call this. */
  List<TestReport> takeReports();

  /** Returns the last screen of the app that was kept, and what the test did until then. */
  KeptScreen keptScreen();

  /** Returns what a provider of the app offers under an address. */
  byte[] readContent(String uri) throws java.io.IOException;

  /** Returns the screen as PNG. */
  byte[] screenshot();

  /** Returns a thread's frames as a phone prints them. Any thread may call this. */
  List<String> frames(StackTraceElement[] stack);
}
