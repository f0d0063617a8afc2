// What the framework knows of the world's telephone numbers. It would find the files of another
// Android level, which the host has on its class path, and fail to read them.
package dev.retap.agent.device.system.hardware;

import dev.retap.agent.device.reflect.FrameworkCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.robolectric.RuntimeEnvironment;

public final class PhoneNumberMetadata {
  private static final String PACKAGE = "com.android.i18n.phonenumbers.";
  private static boolean isInstalled;

  private PhoneNumberMetadata() {}

  /** Gives the framework its own level's files; once, because it keeps them in static fields. */
  public static synchronized void install() {
    if (isInstalled) {
      return;
    }
    isInstalled = true;
    Class<?> loader = FrameworkCalls.type(PACKAGE + "MetadataLoader");
    Object files =
        Proxy.newProxyInstance(
            loader.getClassLoader(),
            new Class<?>[] {loader},
            (proxy, method, arguments) -> open((String) arguments[0]));
    Class<?> numbers = FrameworkCalls.type(PACKAGE + "PhoneNumberUtil");
    try {
      Object util = numbers.getMethod("createInstance", loader).invoke(null, files);
      FrameworkCalls.callStatic(numbers, "setInstance", util);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(numbers.getName(), e);
    }
  }

  /** Returns the content of a resource of this level's framework, or null if it has none. */
  private static InputStream open(String resource) {
    String name = resource.startsWith("/") ? resource.substring(1) : resource;
    try (ZipFile android = new ZipFile(RuntimeEnvironment.getAndroidFrameworkJarPath().toFile())) {
      ZipEntry entry = android.getEntry(name);
      return entry == null
          ? null
          : new ByteArrayInputStream(android.getInputStream(entry).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(resource, e);
    }
  }
}
