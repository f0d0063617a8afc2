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

  /** Returns the screen as PNG. */
  byte[] screenshot();

  /** Returns a thread's frames as a phone prints them. Any thread may call this. */
  List<String> frames(StackTraceElement[] stack);
}
