// Classes as the sandbox of one API level defines them, made without a sandbox. Classes of the
// level come instrumented in its jar; Robolectric instruments the others of Android, which newer
// levels have.
package dev.retap.agent.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.robolectric.internal.bytecode.ClassDetails;
import org.robolectric.internal.bytecode.ClassInstrumentor;
import org.robolectric.internal.bytecode.ClassNodeProvider;
import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.internal.bytecode.UrlResourceProvider;
import org.robolectric.util.inject.Injector;

final class SandboxedClasses extends ClassNodeProvider implements UnaryOperator<byte[]> {
  private final InstrumentationConfiguration configuration = SandboxConfiguration.create();
  private final ClassInstrumentor instrumentor =
      new Injector.Builder(Host.class.getClassLoader())
          .build()
          .getInstance(ClassInstrumentor.class);
  private final Set<String> newer;
  private final UrlResourceProvider android;

  SandboxedClasses(Path androidJar) throws IOException {
    newer = Set.copyOf(ClassDataList.readNames(ClassDataList.NEWER));
    android = new UrlResourceProvider(androidJar.toUri().toURL());
  }

  /**
   * Returns the class as the sandbox defines it. Returns null if the sandbox takes it from its
   * parent, or if it is one of a newer level that no sandbox of this level is known to load.
   */
  @Override
  public byte[] apply(byte[] bytes) {
    ClassDetails details = new ClassDetails(bytes);
    if (!configuration.shouldAcquire(details.getName())) {
      return null;
    }
    if (!configuration.shouldInstrument(details)) {
      return bytes;
    }
    return newer.contains(details.getName().replace('.', '/'))
        ? instrumentor.instrument(details, configuration, this)
        : null;
  }

  @Override
  protected byte[] getClassBytes(String internalName) throws ClassNotFoundException {
    String file = internalName.replace('.', '/') + ".class";
    InputStream own = android.getResourceAsStream(file);
    try (InputStream in = own != null ? own : ClassLoader.getSystemResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(internalName);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(internalName, e);
    }
  }
}
