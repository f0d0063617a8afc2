// All classes of an app: which of them have something to initialise, and in which order.
package dev.retap.agent.rewrite.statics;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

public final class AppHierarchy {
  private final Map<String, ClassFacts> classes = new TreeMap<>();
  private final Map<String, Boolean> initialized = new HashMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();

  /**
   * Reads the classes of an app's jar that no jar of the framework has: such a class is never taken
   * from the app.
   */
  public static AppHierarchy of(Path jar, Path framework) throws IOException {
    List<byte[]> files = new ArrayList<>();
    try (ZipFile zip = new ZipFile(jar.toFile());
        ZipFile system = new ZipFile(framework.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        if (entry.getName().endsWith(".class") && system.getEntry(entry.getName()) == null) {
          files.add(zip.getInputStream(entry).readAllBytes());
        }
      }
    }
    return new AppHierarchy(files);
  }

  AppHierarchy(Iterable<byte[]> classFiles) {
    for (byte[] file : classFiles) {
      ClassFacts facts = ClassFacts.of(file);
      classes.put(facts.name(), facts);
    }
    for (String name : classes.keySet()) {
      if (isInitialized(name)) {
        numbers.put(name, numbers.size());
      }
    }
  }

  /** Returns the number of classes whose first use runs an initialiser. */
  public int size() {
    return numbers.size();
  }

  /** Returns the number of a class whose first use runs an initialiser, its own or a parent's. */
  int number(String name) {
    return numbers.get(name);
  }

  /** Returns true if the first use of the class runs an initialiser, its own or a parent's. */
  boolean isInitialized(String name) {
    Boolean known = initialized.get(name);
    if (known == null) {
      // A hierarchy that is a circle ends here; the JVM refuses such classes.
      initialized.put(name, false);
      ClassFacts facts = classes.get(name);
      known = facts != null && (facts.hasInitializer() || !parents(name).isEmpty());
      initialized.put(name, known);
    }
    return known;
  }

  boolean isInterface(String name) {
    return classes.get(name).isInterface();
  }

  boolean hasVariables(String name) {
    ClassFacts facts = classes.get(name);
    return facts != null && facts.hasVariables();
  }

  /** Returns the classes and interfaces that are initialised before the class, in this order. */
  List<String> parents(String name) {
    List<String> parents = new ArrayList<>();
    ClassFacts facts = classes.get(name);
    // An interface does not initialise those that it extends.
    if (facts == null || facts.isInterface()) {
      return parents;
    }
    if (isInitialized(facts.parent())) {
      parents.add(facts.parent());
    }
    facts.interfaces().forEach(implemented -> addWithDefaults(implemented, parents));
    return parents;
  }

  /** Adds interfaces with default methods: the JVM initialises only those with a class. */
  private void addWithDefaults(String name, List<String> found) {
    ClassFacts facts = classes.get(name);
    if (facts == null) {
      return;
    }
    facts.interfaces().forEach(extended -> addWithDefaults(extended, found));
    if (facts.hasDefaults() && facts.hasInitializer() && !found.contains(name)) {
      found.add(name);
    }
  }

  /** Returns the class that declares a static field, or null if the app has none. */
  String declaring(String owner, String field) {
    ClassFacts facts = classes.get(owner);
    if (facts == null) {
      return null;
    }
    if (facts.staticFields().contains(field)) {
      return owner;
    }
    for (String implemented : facts.interfaces()) {
      String found = declaring(implemented, field);
      if (found != null) {
        return found;
      }
    }
    return facts.parent() == null ? null : declaring(facts.parent(), field);
  }

  /** Returns true if code of the first class runs only when the second is initialised. */
  boolean impliesInitialized(String running, String other) {
    for (String name = running; name != null; name = parent(name)) {
      if (name.equals(other)) {
        return true;
      }
    }
    return false;
  }

  private String parent(String name) {
    ClassFacts facts = classes.get(name);
    return facts == null || facts.isInterface() ? null : facts.parent();
  }
}
