// What the host asks of the phone inside the sandbox. Lives in a package both sides share, because
// the sandbox loads its own copy of every other class. All calls come on the app's main thread.
package dev.retap.agent.wire;

import java.util.List;

public interface Phone {
  void install(Install install);

  Observation reset(long worldSeed);

  Observation perform(Event event);

  /** The screen as PNG. */
  byte[] screenshot();

  /** A thread's frames as a phone prints them. From any thread. */
  List<String> frames(StackTraceElement[] stack);
}
