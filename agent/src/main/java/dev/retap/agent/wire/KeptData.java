// What an app leaves to another version of it: its files, and how long the phone has been on.
package dev.retap.agent.wire;

import java.io.IOException;

public record KeptData(long uptimeMillis, byte[] files) {
  public static KeptData read(Packet packet) throws IOException {
    return new KeptData(packet.readI64(), packet.readBlob());
  }

  public void write(Packet packet) {
    packet.i64(uptimeMillis).blob(files);
  }
}
