// How an instrumentation runs on after a report.
package dev.retap.agent.wire;

import java.io.IOException;
import java.util.List;

/**
 * @param limitMillis the virtual time until the next report; without one the test is late
 * @param pauseMillis the virtual time after which the host wants to hear even if nothing happened
 * @param transfers what arrived at forwarded ports
 */
public record TestContinue(long limitMillis, long pauseMillis, List<Transfer> transfers) {
  /** Returns how to run until a report comes, with no ports to look after. */
  public static TestContinue upTo(long limitMillis) {
    return new TestContinue(limitMillis, Long.MAX_VALUE, List.of());
  }

  public static TestContinue read(Packet in) throws IOException {
    return new TestContinue(in.readI64(), in.readI64(), Transfer.readAll(in));
  }
}
