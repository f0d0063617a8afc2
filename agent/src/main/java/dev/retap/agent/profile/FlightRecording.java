// The JVM's own recording of a profiled agent, which a flag of its command line starts and which is
// written when the agent is asked to end.
package dev.retap.agent.profile;

import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

public final class FlightRecording {
  /** Set by the command line that starts a recording. Without it no class of the JFR is loaded. */
  private static final boolean IS_ON = Boolean.getBoolean("retap.profile");

  private FlightRecording() {}

  /** Writes the recording to the file that the command line names, if there is one. */
  public static void end() {
    if (IS_ON) {
      FlightRecorder.getFlightRecorder().getRecordings().forEach(Recording::stop);
    }
  }
}
