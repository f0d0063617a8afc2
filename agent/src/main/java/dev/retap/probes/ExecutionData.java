// Writes the executed probes in the format of JaCoCo's execution data. The names of the classes lie
// in a file of the APK, because an app needs them only when it is asked.
package dev.retap.probes;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

final class ExecutionData {
  /** The classes in the order of their numbers, each a long, a string and an int. */
  private static final String CLASSES = "retap/probes.table";

  private static final int HEADER = 0x01;
  private static final int MAGIC = 0xc0c0;
  private static final int VERSION = 0x1007;
  private static final int SESSION = 0x10;
  private static final int EXECUTION = 0x11;

  private ExecutionData() {}

  /**
   * @param apk the instrumented APK
   * @param clears whether the probes count anew afterwards
   */
  static void write(File apk, OutputStream to, boolean clears) throws IOException {
    DataOutputStream out = new DataOutputStream(to);
    out.writeByte(HEADER);
    out.writeChar(MAGIC);
    out.writeChar(VERSION);
    out.writeByte(SESSION);
    out.writeUTF("retap");
    out.writeLong(0);
    out.writeLong(0);
    ZipFile zip = new ZipFile(apk);
    try {
      ZipEntry entry = zip.getEntry(CLASSES);
      if (entry == null) {
        throw new IOException("the APK has no retap/probes.table");
      }
      InputStream in = zip.getInputStream(entry);
      writeClasses(new DataInputStream(new BufferedInputStream(in)), out, clears);
    } finally {
      zip.close();
    }
    out.flush();
  }

  private static void writeClasses(DataInputStream classes, DataOutputStream out, boolean clears)
      throws IOException {
    int count = classes.readInt();
    for (int index = 0; index < count; index++) {
      long id = classes.readLong();
      String name = classes.readUTF();
      boolean[] probes = Probes.copy(index, clears);
      if (probes != null) {
        out.writeByte(EXECUTION);
        out.writeLong(id);
        out.writeUTF(name);
        writeProbes(probes, out);
      }
    }
  }

  /** Writes the count, seven bits a byte, then eight probes a byte, the first in the lowest bit. */
  private static void writeProbes(boolean[] probes, DataOutputStream out) throws IOException {
    int left = probes.length;
    while (left > 0x7f) {
      out.writeByte(left & 0x7f | 0x80);
      left >>>= 7;
    }
    out.writeByte(left);
    for (int at = 0; at < probes.length; at += 8) {
      int bits = 0;
      for (int bit = 0; bit < 8 && at + bit < probes.length; bit++) {
        bits |= probes[at + bit] ? 1 << bit : 0;
      }
      out.writeByte(bits);
    }
  }
}
