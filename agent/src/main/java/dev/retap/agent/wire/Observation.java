// The phone's answer to an event: the outcome, the screen at rest, the log of the step.
package dev.retap.agent.wire;

import java.util.List;

/**
 * @param detail depends on the outcome: the package in front, the exit code, the stack of the main
 *     thread or of the crash
 * @param thread the name of the thread that crashed
 * @param screen the encoded screen (docs/agent.md)
 * @param doubts why a crash may not be the app's own, one sentence each
 */
public record Observation(
    Outcome outcome,
    String detail,
    String thread,
    long virtualMillis,
    byte[] screen,
    List<String> log,
    List<Limitation> limitations,
    List<String> doubts) {

  public enum Outcome {
    RUNNING,
    LEFT,
    EXITED,
    NOT_RESPONDING,
    CRASHED
  }

  /** A failure of the embedded device itself. */
  public record Limitation(String kind, String detail) {}

  /** The longest list of each kind. */
  private static final int MAX_LIST = 200;

  private static <T> List<T> first(List<T> all) {
    return all.subList(0, Math.min(all.size(), MAX_LIST));
  }

  private static void strings(Packet out, List<String> all) {
    List<String> kept = first(all);
    out.u16(kept.size());
    kept.forEach(out::string);
  }

  /** Writes the observation; a screen that equals the last one is left out. */
  public void write(Packet out, byte[] lastScreen) {
    out.u8(outcome.ordinal()).string(detail).string(thread).i64(virtualMillis);
    if (java.util.Arrays.equals(screen, lastScreen)) {
      out.u8(0);
    } else {
      out.u8(1).blob(screen);
    }
    strings(out, log);
    List<Limitation> kept = first(limitations);
    out.u16(kept.size());
    kept.forEach(limitation -> out.string(limitation.kind).string(limitation.detail));
    strings(out, doubts);
  }
}
