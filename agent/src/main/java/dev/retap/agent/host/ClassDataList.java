// What the JVM is given to make its own archive of classes, from which it takes them without
// reading, parsing and linking them: the list of the classes, and a jar with those of the sandbox.
// The choice of classes affects speed alone.
package dev.retap.agent.host;

import dev.retap.agent.rewrite.FrameworkArchive;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;

public final class ClassDataList {
  /** The names of both files; the list names the jar as a file of the working folder. */
  private static final String LIST = "classes.txt";

  private static final String JAR = "classes.jar";

  /** The classes of the JDK and of the agent's class path that a start loads. */
  private static final String STARTING = "starting-classes.txt";

  /** Classes of newer API levels that the host loads on levels without them. */
  static final String NEWER = "newer-classes.txt";

  /** The package of the classes that are in the boot loader without being in its path. */
  private static final String WORLD = "dev.retap.agent.world.";

  /** The number of a class that is not in the list. */
  private static final int NONE = -1;

  private final FrameworkArchive archive;
  private final Predicate<String> isAcquired;
  private final ZipOutputStream jar;
  private final List<String> lines = new ArrayList<>();
  private final Map<String, Integer> builtIn = new HashMap<>();
  private final Map<String, Integer> sandboxed = new HashMap<>();

  /** Classes of newer levels, which do not always fit the classes that they extend here. */
  private final Set<String> newer = Set.copyOf(readNames(NEWER));

  private int count;

  private ClassDataList(FrameworkArchive archive, Predicate<String> isAcquired, ZipOutputStream jar)
      throws IOException {
    this.archive = archive;
    this.isAcquired = isAcquired;
    this.jar = jar;
  }

  /** Writes the list and the jar for the classes of the archive to the folder. */
  public static void write(FrameworkArchive archive, Path folder) throws IOException {
    try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(folder.resolve(JAR)))) {
      jar.setLevel(1);
      ClassDataList list =
          new ClassDataList(archive, SandboxConfiguration.create()::shouldAcquire, jar);
      Path own = Path.of(System.getProperty("java.home"), "lib", "classlist");
      if (Files.exists(own)) {
        Files.readAllLines(own).forEach(list::addBuiltIn);
      }
      readNames(STARTING).forEach(list::addBuiltIn);
      for (String name : new TreeSet<>(archive.names())) {
        list.addSandboxed(name);
      }
      Files.write(folder.resolve(LIST), list.lines);
    }
  }

  /** Returns the lines of a list beside this class. */
  static List<String> readNames(String list) throws IOException {
    InputStream bytes = ClassDataList.class.getResourceAsStream(list);
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(bytes, StandardCharsets.US_ASCII))) {
      return in.lines().filter(line -> !line.startsWith("#")).toList();
    }
  }

  /** Adds a line of a list that the JVM wrote: the name of a class, or a call to resolve. */
  private void addBuiltIn(String line) {
    if (line.startsWith("@")) {
      lines.add(line);
    } else if (!line.isEmpty() && !line.startsWith("#")) {
      numberOfBuiltIn(line.split(" ")[0]);
    }
  }

  private int numberOfBuiltIn(String name) {
    Integer known = builtIn.get(name);
    if (known != null) {
      return known;
    }
    int number = count++;
    builtIn.put(name, number);
    lines.add(name + " id: " + number);
    return number;
  }

  /** Adds a class after those that it extends. Returns its number, or NONE if one is missing. */
  private int addSandboxed(String name) throws IOException {
    Integer known = sandboxed.get(name);
    if (known != null) {
      return known;
    }
    if (newer.contains(name)) {
      return NONE;
    }
    byte[] bytes = archive.read(name);
    if (bytes == null) {
      return isBuiltIn(name) ? numberOfBuiltIn(name) : NONE;
    }
    // A class that extends itself is broken; it must not be met again.
    sandboxed.put(name, NONE);
    ClassReader read = new ClassReader(bytes);
    int parent = addSandboxed(read.getSuperName());
    StringBuilder interfaces = new StringBuilder();
    boolean complete = parent != NONE;
    for (String each : read.getInterfaces()) {
      int number = addSandboxed(each);
      complete &= number != NONE;
      interfaces.append(' ').append(number);
    }
    if (!complete) {
      return NONE;
    }
    int number = count++;
    sandboxed.put(name, number);
    String implemented = interfaces.isEmpty() ? "" : " interfaces:" + interfaces;
    lines.add(name + " id: " + number + " super: " + parent + implemented + " source: " + JAR);
    jar.putNextEntry(new ZipEntry(name + ".class"));
    jar.write(bytes);
    jar.closeEntry();
    return number;
  }

  /**
   * Returns true if the JVM itself finds the class. It does not find the world's, which the agent
   * defines: an archive with them would give the class path a second copy.
   */
  private boolean isBuiltIn(String name) {
    String known = name.replace('/', '.');
    return !isAcquired.test(known) && !known.startsWith(WORLD);
  }
}
