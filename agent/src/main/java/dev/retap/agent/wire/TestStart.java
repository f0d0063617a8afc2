// How to start the app under a test APK's instrumentation, as `am instrument` does.
package dev.retap.agent.wire;

import java.io.IOException;
import java.util.List;

/**
 * @param runner the component of the instrumentation: PACKAGE/CLASS
 * @param arguments keys and values in turn
 * @param cleanInstall whether the app's data is wiped first
 * @param keepsScreens whether the last screen before an activity finishes is kept, with its picture
 * @param limitMillis the virtual time until its first report
 */
public record TestStart(
    long worldSeed,
    String runner,
    List<String> arguments,
    boolean cleanInstall,
    boolean keepsScreens,
    long limitMillis) {
  public static TestStart read(Packet in) throws IOException {
    return new TestStart(
        in.readI64(),
        in.readString(),
        Event.strings(in),
        in.readU8() != 0,
        in.readU8() != 0,
        in.readI64());
  }
}
