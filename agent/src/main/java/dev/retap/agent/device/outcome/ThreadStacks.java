// What the app's threads do at one moment, as a phone writes it down for an app that does not
// respond.
package dev.retap.agent.device.outcome;

import dev.retap.agent.world.Scheduler;

public final class ThreadStacks {
  private ThreadStacks() {}

  /** Returns the stacks of all threads of the app, in the order in which they started. */
  public static String ofApp() {
    StringBuilder text = new StringBuilder();
    for (Thread thread : Scheduler.ownThreads()) {
      if (thread == Thread.currentThread()) {
        text.append("main: waits for messages\n");
        continue;
      }
      text.append(thread.getName()).append(":\n");
      for (String frame : StackText.frames(thread.getStackTrace())) {
        text.append("\tat ").append(frame).append('\n');
      }
    }
    return text.toString();
  }
}
