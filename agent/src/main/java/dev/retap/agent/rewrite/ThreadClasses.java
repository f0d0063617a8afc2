// The app's classes that extend Thread. Code that calls a method which such a class inherits may
// name that class as its owner: `sleep(100)` in a thread's own `run` does.
package dev.retap.agent.rewrite;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;

final class ThreadClasses {
  private static final String THREAD = "java/lang/Thread";

  /** The classes of the platform that apps extend and that are threads. */
  private static final Set<String> PLATFORM = Set.of(THREAD, "android/os/HandlerThread");

  private static final Set<String> INHERITED =
      Set.of("sleep(J)V", "sleep(JI)V", "yield()V", "isAlive()Z");

  private final Map<String, String> parents = new HashMap<>();

  /** Reads the parents of all classes of an app. */
  static ThreadClasses in(ZipFile classes) throws IOException {
    ThreadClasses found = new ThreadClasses();
    for (ZipEntry entry : classes.stream().toList()) {
      if (entry.getName().endsWith(".class")) {
        found.add(classes.getInputStream(entry).readAllBytes());
      }
    }
    return found;
  }

  void add(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    parents.put(reader.getClassName(), reader.getSuperName());
  }

  /** Returns Thread if the call is one of its methods under the name of a class that extends it. */
  String ownerOf(String named, String method, String descriptor) {
    return INHERITED.contains(method + descriptor) && isThread(named) ? THREAD : named;
  }

  private boolean isThread(String type) {
    String each = type;
    for (int depth = 0; each != null && depth < parents.size() + 1; depth++) {
      if (PLATFORM.contains(each)) {
        return true;
      }
      each = parents.get(each);
    }
    return false;
  }
}
