// How to start the app under a test APK's instrumentation, as `am instrument` does.
package dev.retap.agent.wire;

import java.io.IOException;
import java.util.List;

/**
 * @param runner the component of the instrumentation: PACKAGE/CLASS
 * @param arguments keys and values in turn
 * @param cleanInstall whether the app's data is wiped first
 * @param launches whether the app's icon is tapped, for tests that drive it from outside
 * @param keeps what is kept besides the reports
 * @param otherSeed the seed of the decisions from the switch on
 * @param switchAt the number of the first decision that comes from the other seed
 * @param describedAt the number of the decision to describe
 * @param limitMillis the virtual time until its first report
 */
public record TestStart(
    long worldSeed,
    String runner,
    List<String> arguments,
    boolean cleanInstall,
    boolean launches,
    Keeps keeps,
    long otherSeed,
    long switchAt,
    long describedAt,
    long limitMillis) {
  public static TestStart read(Packet in) throws IOException {
    return new TestStart(
        in.readI64(),
        in.readString(),
        Event.strings(in),
        in.readU8() != 0,
        in.readU8() != 0,
        Keeps.values()[in.readU8() % Keeps.values().length],
        in.readI64(),
        in.readI64(),
        in.readI64(),
        in.readI64());
  }

  /** What is kept of a test besides its reports. */
  public enum Keeps {
    NOTHING,
    /** The last screen before an activity finishes, with its picture, and the test's inputs. */
    LAST_SCREEN,
    /** Besides, the screen before each input: the next one may end the process. */
    EVERY_SCREEN
  }
}
