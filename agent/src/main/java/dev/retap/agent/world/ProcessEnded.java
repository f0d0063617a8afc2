// Unwinds a thread whose app process has ended.
package dev.retap.agent.world;

public final class ProcessEnded extends Error {
  ProcessEnded() {
    super("the process has ended", null, false, false);
  }
}
