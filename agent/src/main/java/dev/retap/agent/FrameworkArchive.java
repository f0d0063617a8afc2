// The framework's classes as WorldAgent makes them, kept in a file: rewriting them at every start was
// two fifths of it. Made once per API level and version of the agent, before any app is near. Which
// classes are in it is a matter of speed alone: others are rewritten when they are loaded, and so is
// one whose original is not the one that was rewritten.
package dev.retap.agent;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

final class FrameworkArchive {
  /** Names of classes that apps of many kinds were seen to load, in class files' notation. */
  private static final String LIST = "preloaded-classes.txt";

  private static final String FILE = "framework.classes";

  private final Map<String, Entry> entries = new HashMap<>();
  private final RandomAccessFile file;
  private final long begin;

  FrameworkArchive(Path folder) throws IOException {
    File path = folder.resolve(FILE).toFile();
    try (FileInputStream bytes = new FileInputStream(path)) {
      DataInputStream head = new DataInputStream(bytes);
      byte[] index = new byte[head.readInt()];
      head.readFully(index);
      begin = Integer.BYTES + index.length;
      for (ByteBuffer in = ByteBuffer.wrap(index); in.hasRemaining(); ) {
        byte[] name = new byte[in.getShort()];
        in.get(name);
        entries.put(
            new String(name, StandardCharsets.ISO_8859_1),
            new Entry(in.getInt(), in.getInt(), in.getInt()));
      }
    }
    file = new RandomAccessFile(path, "r");
  }

  /** What the class is to be; itself if nothing in it is rewritten, null if that is not known. */
  byte[] rewritten(String name, byte[] original) {
    Entry entry = entries.get(name);
    if (entry == null || entry.original != checksum(original)) {
      return null;
    }
    if (entry.length == 0) {
      return original;
    }
    byte[] bytes = new byte[entry.length];
    try {
      synchronized (file) {
        file.seek(begin + entry.offset);
        file.readFully(bytes);
      }
    } catch (IOException e) {
      return null;
    }
    return bytes;
  }

  static void write(Path androidJar, ShadowedNames shadowed, Path folder) throws IOException {
    ByteArrayOutputStream classes = new ByteArrayOutputStream(1 << 25);
    ByteArrayOutputStream index = new ByteArrayOutputStream(1 << 20);
    DataOutputStream out = new DataOutputStream(index);
    try (ZipFile android = new ZipFile(androidJar.toFile())) {
      for (String name : list()) {
        byte[] original = original(android, name + ".class");
        if (original == null) {
          continue;
        }
        byte[] rewritten = WorldAgent.rewrite(name, original, shadowed);
        out.writeUTF(name);
        out.writeInt(checksum(original));
        out.writeInt(classes.size());
        out.writeInt(rewritten == null ? 0 : rewritten.length);
        if (rewritten != null) {
          classes.writeBytes(rewritten);
        }
      }
    }
    try (DataOutputStream file = new DataOutputStream(Files.newOutputStream(folder.resolve(FILE)))) {
      file.writeInt(index.size());
      index.writeTo(file);
      classes.writeTo(file);
    }
  }

  private static List<String> list() throws IOException {
    InputStream list = FrameworkArchive.class.getResourceAsStream(LIST);
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(list, StandardCharsets.US_ASCII))) {
      return in.lines().filter(line -> !line.startsWith("#")).toList();
    }
  }

  /** The framework's own come from its jar, their stand-ins from the agent's class path. */
  private static byte[] original(ZipFile android, String file) throws IOException {
    ZipEntry entry = android.getEntry(file);
    try (InputStream in =
        entry != null
            ? android.getInputStream(entry)
            : ClassLoader.getSystemResourceAsStream(file)) {
      return in == null ? null : in.readAllBytes();
    }
  }

  private static int checksum(byte[] bytes) {
    CRC32 sum = new CRC32();
    sum.update(bytes);
    return (int) sum.getValue();
  }

  /**
   * @param original the checksum of the class that was rewritten
   * @param length nothing if it stays as it is
   */
  private record Entry(int original, int offset, int length) {}
}
