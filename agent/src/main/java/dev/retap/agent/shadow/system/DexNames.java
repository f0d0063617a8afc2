// The names of the classes in an APK's dex files, read from their tables.
package dev.retap.agent.shadow.system;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

final class DexNames {
  private static final int STRING_TABLE = 0x3c;
  private static final int TYPE_TABLE = 0x44;
  private static final int CLASS_COUNT = 0x60;
  private static final int CLASS_TABLE = 0x64;
  private static final int CLASS_BYTES = 32;

  private DexNames() {}

  /** Returns the names in the order of the dex files, with dots. */
  static List<String> of(String apk) throws IOException {
    List<String> names = new ArrayList<>();
    try (ZipFile zip = new ZipFile(apk)) {
      for (int number = 1; ; number++) {
        ZipEntry entry = zip.getEntry(number == 1 ? "classes.dex" : "classes" + number + ".dex");
        if (entry == null) {
          return names;
        }
        try (InputStream in = zip.getInputStream(entry)) {
          addAll(ByteBuffer.wrap(in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN), names);
        }
      }
    }
  }

  private static void addAll(ByteBuffer dex, List<String> names) {
    int count = dex.getInt(CLASS_COUNT);
    for (int i = 0; i < count; i++) {
      int type = dex.getInt(dex.getInt(CLASS_TABLE) + i * CLASS_BYTES);
      int string = dex.getInt(dex.getInt(TYPE_TABLE) + type * 4);
      String descriptor = string(dex, dex.getInt(dex.getInt(STRING_TABLE) + string * 4));
      names.add(descriptor.substring(1, descriptor.length() - 1).replace('/', '.'));
    }
  }

  /** Reads a string after its length, which takes a byte for each seven bits. */
  private static String string(ByteBuffer dex, int at) {
    int start = at;
    while (dex.get(start) < 0) {
      start++;
    }
    start++;
    int end = start;
    while (dex.get(end) != 0) {
      end++;
    }
    return new String(dex.array(), start, end - start, StandardCharsets.UTF_8);
  }
}
