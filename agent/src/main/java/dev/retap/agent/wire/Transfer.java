// Bytes of a connection between the machine and a port of the phone, in either direction.
package dev.retap.agent.wire;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * @param port the phone's port if the connection begins with this, else 0
 * @param isLast whether the sender sends no more
 */
public record Transfer(int connection, int port, byte[] bytes, boolean isLast) {
  static List<Transfer> readAll(Packet in) throws IOException {
    List<Transfer> all = new ArrayList<>();
    for (int left = in.readU16(); left > 0; left--) {
      all.add(new Transfer(in.readI32(), in.readU16(), in.readBlob(), in.readU8() != 0));
    }
    return all;
  }

  public static void writeAll(List<Transfer> all, Packet out) {
    out.u16(all.size());
    for (Transfer one : all) {
      out.i32(one.connection).u16(one.port).blob(one.bytes).u8(one.isLast ? 1 : 0);
    }
  }
}
