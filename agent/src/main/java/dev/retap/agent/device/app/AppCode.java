// The bytes behind AppClassLoader: the translated classes, with probes where coverage counts,
// and the APK's plain files. They are opened once per process of the agent and shared by all
// resets.
package dev.retap.agent.device.app;

import dev.retap.agent.wire.Install;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

public final class AppCode {
  /** Classes of the host that framework code in the app's process must be able to name. */
  private static final String[] HOST_PREFIXES = {
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "org.w3c.dom.",
    "org.xml.sax.",
    "org.robolectric.",
    "dev.retap.agent."
  };

  /** The JVM's own management, which tells the host's paths. A phone does not have it. */
  private static final String MANAGEMENT = "java.lang.management.";

  private final ZipFile classes;
  private final ZipFile probed;
  private final List<ZipFile> apks = new ArrayList<>();
  private final Set<String> nativeLibraries = new TreeSet<>();
  private final Set<String> bootClasses = new HashSet<>();
  private final Map<String, byte[]> cache = new ConcurrentHashMap<>();

  public AppCode(Install install, String androidJar) throws IOException {
    classes = new ZipFile(install.classes());
    probed = install.probed().isEmpty() ? null : new ZipFile(install.probed());
    for (String apk : install.testApks()) {
      apks.add(new ZipFile(apk));
    }
    for (String apk : install.apks()) {
      apks.add(new ZipFile(apk));
    }
    for (ZipFile apk : apks) {
      apk.stream()
          .map(ZipEntry::getName)
          .filter(name -> name.startsWith("lib/") && name.endsWith(".so"))
          .forEach(name -> nativeLibraries.add(name.substring(name.lastIndexOf('/') + 1)));
    }
    try (ZipFile android = new ZipFile(androidJar)) {
      android.stream()
          .map(ZipEntry::getName)
          .filter(n -> n.endsWith(".class"))
          .forEach(n -> bootClasses.add(n.substring(0, n.length() - 6).replace('/', '.')));
    }
  }

  /** Returns the names of the app's native libraries, for any processor. */
  Set<String> nativeLibraries() {
    return Collections.unmodifiableSet(nativeLibraries);
  }

  boolean isOnBootClassPath(String name) {
    if (name.startsWith(MANAGEMENT)) {
      return false;
    }
    for (String prefix : HOST_PREFIXES) {
      if (name.startsWith(prefix)) {
        return !name.startsWith("javax.") || bootClasses.contains(name) || bytes(name) == null;
      }
    }
    return bootClasses.contains(name);
  }

  byte[] bytes(String className) {
    byte[] known = cache.get(className);
    if (known == null) {
      try {
        String name = className.replace('.', '/') + ".class";
        known = probed == null ? null : read(probed, name);
        known = known == null ? read(classes, name) : known;
        known = known == null ? LegacyHttp.bytes(name) : known;
      } catch (IOException e) {
        throw new UncheckedIOException("translated classes", e);
      }
      if (known != null) {
        cache.put(className, known);
      }
    }
    return known;
  }

  byte[] resource(String name) throws IOException {
    for (ZipFile apk : apks) {
      byte[] found = read(apk, name);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Returns the files of this name in all APKs, in the order in which they are searched. */
  List<byte[]> resources(String name) throws IOException {
    List<byte[]> found = new ArrayList<>();
    for (ZipFile apk : apks) {
      byte[] bytes = read(apk, name);
      if (bytes != null) {
        found.add(bytes);
      }
    }
    return found;
  }

  private static byte[] read(ZipFile zip, String name) throws IOException {
    ZipEntry entry = zip.getEntry(name);
    if (entry == null) {
      return null;
    }
    try (InputStream in = zip.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }
}
