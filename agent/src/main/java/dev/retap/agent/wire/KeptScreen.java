// What the phone kept of a test: the last screen of the app that it saw, and the test's inputs.
package dev.retap.agent.wire;

import java.util.List;

/**
 * @param screen the encoded screen, or empty if there was none
 * @param picture the same as PNG, or empty
 */
public record KeptScreen(byte[] screen, byte[] picture, List<RecordedInput> inputs) {
  /** What is kept before there is anything. */
  public static final KeptScreen NONE = new KeptScreen(new byte[0], new byte[0], List.of());

  public void write(Packet out) {
    out.blob(screen).blob(picture).u16(inputs.size());
    inputs.forEach(input -> input.write(out));
  }
}
