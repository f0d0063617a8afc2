// Loads the app's own classes. Classes of the system's boot class path come from the sandbox, and
// all that the APK carries comes from the APK. The host's libraries are hidden, so an app's Guava
// never meets the agent's.
package dev.retap.agent.device.app;

import dev.retap.agent.device.outcome.ClassFiles;
import dev.retap.agent.rewrite.statics.OtherProcessRewriter;
import dev.retap.agent.world.AppStatics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

public final class AppClassLoader extends ClassLoader implements ClassFiles {
  static {
    registerAsParallelCapable();
  }

  private final AppCode code;
  private final ClassLoader sandbox;
  private final ClassLoader system;
  private final int process;

  /**
   * @param process the number of the app's process, 0 for the main one
   */
  public AppClassLoader(AppCode code, ClassLoader sandbox, int process) {
    super(sandbox);
    this.code = code;
    this.sandbox = sandbox;
    this.system = new SystemClassLoader(code, sandbox);
    this.process = process;
  }

  /** Returns the number of the app's process that these classes are loaded in. */
  public int process() {
    return process;
  }

  /** Returns what ClassLoader.getSystemClassLoader gives to the app. */
  ClassLoader system() {
    return system;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      if (code.isOnBootClassPath(name)) {
        return sandbox.loadClass(name);
      }
      byte[] bytes = code.bytes(name);
      if (bytes == null) {
        throw new ClassNotFoundException(name);
      }
      if (process != 0) {
        byte[] own = OtherProcessRewriter.rewrite(bytes, process);
        return defineClass(name, own, 0, own.length);
      }
      Class<?> defined = defineClass(name, bytes, 0, bytes.length);
      AppStatics.loaded(defined);
      return defined;
    }
  }

  @Override
  public byte[] classFile(String name) {
    return code.isOnBootClassPath(name) ? null : code.bytes(name);
  }

  @Override
  public URL getResource(String name) {
    try {
      byte[] bytes = code.resource(name);
      return bytes == null ? null : ApkUrl.of(name, bytes);
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public Enumeration<URL> getResources(String name) {
    try {
      List<URL> found = new ArrayList<>();
      for (byte[] bytes : code.resources(name)) {
        found.add(ApkUrl.of(name, bytes));
      }
      return Collections.enumeration(found);
    } catch (IOException e) {
      return Collections.emptyEnumeration();
    }
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    try {
      byte[] bytes = code.resource(name);
      return bytes == null ? null : new ByteArrayInputStream(bytes);
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * The class loader that an app gets as the system's: it has the classes of the framework and none
   * of the app's. The host's own would have those of another Android.
   */
  private static final class SystemClassLoader extends ClassLoader {
    private final AppCode code;
    private final ClassLoader sandbox;

    SystemClassLoader(AppCode code, ClassLoader sandbox) {
      super(null);
      this.code = code;
      this.sandbox = sandbox;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!code.isOnBootClassPath(name)) {
        throw new ClassNotFoundException(name);
      }
      return sandbox.loadClass(name);
    }
  }
}
