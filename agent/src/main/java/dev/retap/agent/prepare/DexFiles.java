// The dex files of an app and of its splits, in the order in which a phone's class loader searches
// them.
package dev.retap.agent.prepare;

import com.googlecode.d2j.reader.BaseDexFileReader;
import com.googlecode.d2j.reader.DexFileReader;
import com.googlecode.d2j.reader.MultiDexFileReader;
import com.googlecode.d2j.util.zip.ZipEntry;
import com.googlecode.d2j.util.zip.ZipFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class DexFiles {
  private static final Pattern NAME = Pattern.compile("classes(\\d{0,4})\\.dex");

  private DexFiles() {}

  static BaseDexFileReader read(List<byte[]> apks) throws IOException {
    List<DexFileReader> readers = new ArrayList<>();
    for (byte[] apk : apks) {
      for (byte[] dex : findIn(apk).values()) {
        readers.add(new DexFileReader(dex));
      }
    }
    return new MultiDexFileReader(readers);
  }

  private static TreeMap<Integer, byte[]> findIn(byte[] apk) throws IOException {
    TreeMap<Integer, byte[]> files = new TreeMap<>();
    // dex2jar's own reader accepts archives that packers have damaged, as phones do.
    try (ZipFile zip = new ZipFile(apk)) {
      for (ZipEntry entry : zip.entries()) {
        Matcher name = NAME.matcher(entry.getName());
        if (name.matches()) {
          int number = name.group(1).isEmpty() ? 1 : Integer.parseInt(name.group(1));
          files.putIfAbsent(number, zip.getInputStream(entry).readAllBytes());
        }
      }
    }
    return files;
  }
}
