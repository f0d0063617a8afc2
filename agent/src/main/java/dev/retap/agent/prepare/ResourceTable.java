// Brings resources.arsc up to date. Old versions of aapt write a package header without its last
// field, the type-id offset. Robolectric's asset manager needs it from API 28 on.
package dev.retap.agent.prepare;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

final class ResourceTable {
  private static final String ENTRY = "resources.arsc";
  private static final int TABLE_CHUNK = 0x0002;
  private static final int PACKAGE_CHUNK = 0x0200;
  private static final int OLD_HEADER = 284;
  private static final int NEW_HEADER = 288;
  private static final int TYPE_STRINGS = 268;
  private static final int KEY_STRINGS = 276;

  private ResourceTable() {}

  /** Copies an APK, with a modern table in place of an old one. */
  static void copyApk(Path from, Path to) throws IOException {
    try (ZipFile zip = new ZipFile(from.toFile())) {
      ZipEntry table = zip.getEntry(ENTRY);
      byte[] old = table == null ? new byte[0] : zip.getInputStream(table).readAllBytes();
      byte[] fixed = modernise(old);
      if (fixed == old) {
        Files.copy(from, to);
        return;
      }
      try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(to))) {
        for (ZipEntry entry : zip.stream().toList()) {
          byte[] bytes =
              entry.getName().equals(ENTRY) ? fixed : zip.getInputStream(entry).readAllBytes();
          out.putNextEntry(like(entry, bytes));
          out.write(bytes);
          out.closeEntry();
        }
      }
    }
  }

  /** Returns a copy with longer package headers, or the table itself if it is modern. */
  static byte[] modernise(byte[] table) {
    ByteBuffer in = ByteBuffer.wrap(table).order(ByteOrder.LITTLE_ENDIAN);
    List<Integer> old = new ArrayList<>();
    if (table.length < 12 || in.getShort(0) != TABLE_CHUNK) {
      return table;
    }
    int at = in.getShort(2);
    while (at >= 0 && at + 8 <= table.length) {
      int size = in.getInt(at + 4);
      if (in.getShort(at) == PACKAGE_CHUNK && in.getShort(at + 2) == OLD_HEADER) {
        old.add(at);
      }
      if (size < 8) {
        return table;
      }
      at += size;
    }
    if (old.isEmpty()) {
      return table;
    }
    ByteBuffer out =
        ByteBuffer.allocate(table.length + 4 * old.size()).order(ByteOrder.LITTLE_ENDIAN);
    int copied = 0;
    for (int chunk : old) {
      int start = out.position() + chunk - copied;
      out.put(table, copied, chunk + OLD_HEADER - copied).putInt(0);
      copied = chunk + OLD_HEADER;
      out.putShort(start + 2, (short) NEW_HEADER);
      out.putInt(start + 4, in.getInt(chunk + 4) + 4);
      out.putInt(start + TYPE_STRINGS, in.getInt(chunk + TYPE_STRINGS) + 4);
      out.putInt(start + KEY_STRINGS, in.getInt(chunk + KEY_STRINGS) + 4);
    }
    out.put(table, copied, table.length - copied);
    out.putInt(4, out.capacity());
    return out.array();
  }

  /** Returns an entry of the same name and method for other content. */
  private static ZipEntry like(ZipEntry entry, byte[] bytes) {
    ZipEntry copy = new ZipEntry(entry.getName());
    copy.setMethod(entry.getMethod());
    copy.setTime(0);
    if (entry.getMethod() == ZipEntry.STORED) {
      CRC32 crc = new CRC32();
      crc.update(bytes);
      copy.setCrc(crc.getValue());
      copy.setSize(bytes.length);
    }
    return copy;
  }
}
