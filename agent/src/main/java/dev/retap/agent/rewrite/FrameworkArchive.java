// A file of the sandbox's classes as WorldAgent rewrites them: reading and rewriting them at every
// start took half of the start. It is made once per API level and version of the agent, before any
// app runs. The choice of classes affects speed alone: others are rewritten when they are loaded.
package dev.retap.agent.rewrite;

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
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

public final class FrameworkArchive {
  /** A class loader that defines the classes of an archive as they are there. */
  public interface Reader {
    FrameworkArchive archive();
  }

  /** The names of classes that many apps load in the sandbox, in the notation of class files. */
  private static final String LIST = "preloaded-classes.txt";

  private static final String FILE = "framework.classes";

  private final Map<String, Entry> entries = new HashMap<>();
  private final RandomAccessFile file;
  private final long classesStart;

  /** Opens the archive in the folder. */
  public FrameworkArchive(Path folder) throws IOException {
    File path = folder.resolve(FILE).toFile();
    try (FileInputStream bytes = new FileInputStream(path)) {
      DataInputStream head = new DataInputStream(bytes);
      byte[] index = new byte[head.readInt()];
      head.readFully(index);
      classesStart = Integer.BYTES + index.length;
      for (ByteBuffer in = ByteBuffer.wrap(index); in.hasRemaining(); ) {
        byte[] name = new byte[in.getShort()];
        in.get(name);
        entries.put(
            new String(name, StandardCharsets.ISO_8859_1),
            new Entry(in.getInt(), in.getInt(), in.getInt(), in.get() != 0));
      }
    }
    file = new RandomAccessFile(path, "r");
  }

  /** Returns true if the archive has the class, whose name is in the notation of class files. */
  boolean contains(String name) {
    return entries.containsKey(name);
  }

  /** Returns the names of the classes in the notation of class files. */
  public Set<String> names() {
    return entries.keySet();
  }

  /** Returns the class as the sandbox defines it, null if it is not in the archive. */
  public byte[] read(String name) {
    Entry entry = entries.get(name);
    if (entry == null) {
      return null;
    }
    byte[] bytes = new byte[entry.length];
    try {
      synchronized (file) {
        file.seek(classesStart + entry.offset);
        file.readFully(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes;
  }

  /**
   * Returns the rewritten class, the original if nothing in it changes, null if the archive has
   * none that was made from this original.
   */
  byte[] rewritten(String name, byte[] original) {
    Entry entry = entries.get(name);
    if (entry == null || entry.checksum != checksum(original)) {
      return null;
    }
    return entry.changed ? read(name) : original;
  }

  /**
   * Rewrites the listed classes of the Android jar into an archive in the folder.
   *
   * @param sandbox returns a class, given by its bytes, as the sandbox would define it; null if the
   *     sandbox does not define it
   */
  public static void write(
      Path androidJar, ShadowedMethods shadowed, UnaryOperator<byte[]> sandbox, Path folder)
      throws IOException {
    ByteArrayOutputStream classes = new ByteArrayOutputStream(1 << 25);
    ByteArrayOutputStream index = new ByteArrayOutputStream(1 << 20);
    DataOutputStream out = new DataOutputStream(index);
    try (ZipFile android = new ZipFile(androidJar.toFile())) {
      for (String name : readList()) {
        byte[] found = readOriginal(android, name + ".class");
        byte[] original = found == null ? null : sandbox.apply(found);
        if (original == null) {
          continue;
        }
        byte[] rewritten = WorldAgent.rewriteOutsideJdk(name, original, shadowed);
        byte[] defined = rewritten == null ? original : rewritten;
        out.writeUTF(name);
        out.writeInt(checksum(original));
        out.writeInt(classes.size());
        out.writeInt(defined.length);
        out.writeBoolean(rewritten != null);
        classes.writeBytes(defined);
      }
    }
    try (DataOutputStream file =
        new DataOutputStream(Files.newOutputStream(folder.resolve(FILE)))) {
      file.writeInt(index.size());
      index.writeTo(file);
      classes.writeTo(file);
    }
  }

  private static List<String> readList() throws IOException {
    InputStream list = FrameworkArchive.class.getResourceAsStream(LIST);
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(list, StandardCharsets.US_ASCII))) {
      return in.lines().filter(line -> !line.startsWith("#")).toList();
    }
  }

  /** Reads a class from the Android jar or, if it is a shadow, from the agent's class path. */
  private static byte[] readOriginal(ZipFile android, String file) throws IOException {
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
   * @param checksum the checksum of the original class
   * @param changed whether rewriting changed it
   */
  private record Entry(int checksum, int offset, int length, boolean changed) {}
}
