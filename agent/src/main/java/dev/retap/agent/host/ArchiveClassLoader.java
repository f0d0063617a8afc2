// The sandbox's class loader with an archive: it defines the classes in it as they are there, and
// all others as Robolectric does. Classes that the JVM has in its own archive too need no parsing.
package dev.retap.agent.host;

import dev.retap.agent.rewrite.FrameworkArchive;
import dev.retap.agent.rewrite.WorldAgent;
import org.robolectric.internal.AndroidSandbox;
import org.robolectric.internal.bytecode.ClassInstrumentor;
import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.pluginapi.Sdk;

final class ArchiveClassLoader extends AndroidSandbox.SdkSandboxClassLoader
    implements FrameworkArchive.Reader {
  /** Android's interfaces of OpenGL. Robolectric takes one of them from the SDK and no other. */
  private static final String OPENGL = "javax.microedition.";

  private final FrameworkArchive archive;
  private final int apiLevel;
  private boolean rewrites;

  ArchiveClassLoader(
      InstrumentationConfiguration configuration,
      Sdk sdk,
      ClassInstrumentor instrumentor,
      FrameworkArchive archive) {
    super(configuration, sdk, instrumentor);
    this.archive = archive;
    apiLevel = sdk.getApiLevel();
  }

  @Override
  public FrameworkArchive archive() {
    return archive;
  }

  @Override
  public Class<?> loadClass(String name) throws ClassNotFoundException {
    if (!name.startsWith(OPENGL)) {
      return super.loadClass(name);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : maybeInstrumentClass(name);
    }
  }

  @Override
  protected Class<?> maybeInstrumentClass(String name) throws ClassNotFoundException {
    byte[] bytes = archive.read(name.replace('.', '/'));
    if (bytes != null) {
      return defineClass(name, bytes, 0, bytes.length);
    }
    if (!rewrites) {
      // Only a class that must still be rewritten needs to know what shadows replace.
      rewrites = true;
      WorldAgent.setShadowedMethods(Host.shadowedMethods(apiLevel));
    }
    return super.maybeInstrumentClass(name);
  }
}
