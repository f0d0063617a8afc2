// What one event led to: how it ended, the screen at rest, the log of the step.
package dev.retap.agent.wire;

import java.util.List;

/**
 * @param detail package in front, exit code, main thread's stack or crash stack, by outcome
 * @param thread the crashed thread's name
 * @param screen the encoded screen (docs/agent.md)
 */
public record Observation(
    Outcome outcome,
    String detail,
    String thread,
    long virtualMillis,
    byte[] screen,
    List<String> log,
    List<Limitation> limitations) {

  public enum Outcome {
    RUNNING,
    LEFT,
    EXITED,
    NOT_RESPONDING,
    CRASHED
  }

  /** Something the host lacks that the app ran into. */
  public record Limitation(String kind, String detail) {}

  public void write(Packet out, byte[] lastScreen) {
    out.u8(outcome.ordinal()).string(detail).string(thread).i64(virtualMillis);
    if (java.util.Arrays.equals(screen, lastScreen)) {
      out.u8(0);
    } else {
      out.u8(1).blob(screen);
    }
    out.u16(log.size());
    log.forEach(out::string);
    out.u16(limitations.size());
    limitations.forEach(limitation -> out.string(limitation.kind).string(limitation.detail));
  }
}
