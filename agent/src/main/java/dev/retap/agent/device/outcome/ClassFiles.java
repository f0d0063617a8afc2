// Where the byte code of loaded classes is to be had.
package dev.retap.agent.device.outcome;

import java.io.IOException;
import java.io.InputStream;

/** A class loader that knows the class files of the classes it defines. */
public interface ClassFiles {
  /** Returns the class file of a class, or null if another loader defines the class. */
  byte[] classFile(String name);

  /** Returns the class file of a class that the loader finds, or null if it is not to be had. */
  static byte[] read(ClassLoader loader, String name) {
    ClassLoader source = loader;
    if (loader instanceof ClassFiles files) {
      byte[] own = files.classFile(name);
      if (own != null) {
        return own;
      }
      source = loader.getParent();
    }
    if (source == null) {
      return null;
    }
    try (InputStream in = source.getResourceAsStream(name.replace('.', '/') + ".class")) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      return null;
    }
  }
}
