// What a command of the shell says: its output, and its complaints apart.
package dev.retap.agent.device.instrument.shell;

import java.nio.charset.StandardCharsets;

record ShellAnswer(byte[] output, String errors) {
  static final ShellAnswer NOTHING = new ShellAnswer(new byte[0], "");

  static ShellAnswer of(String output) {
    return new ShellAnswer(output.getBytes(StandardCharsets.UTF_8), "");
  }

  static ShellAnswer complain(String errors) {
    return new ShellAnswer(NOTHING.output, errors + "\n");
  }

  /** Returns this with complaints after its output. */
  ShellAnswer but(String complaint) {
    return new ShellAnswer(output, complaint + "\n");
  }
}
