// One report of an instrumentation: a status while it runs, its result at the end, or that it is
// late.
package dev.retap.agent.wire;

import java.util.List;

/**
 * @param values keys and values of the bundle in turn, in the order of their keys; of one that is
 *     late, the stacks of all threads
 */
public record TestReport(Kind kind, int code, List<String> values) {
  public enum Kind {
    STATUS,
    RESULT,
    LATE
  }

  public void write(Packet out) {
    out.u8(kind.ordinal()).i32(code).u16(values.size());
    values.forEach(out::string);
  }
}
