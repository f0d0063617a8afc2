// Static state of the JDK that an app can set: default locale and time zone, handlers of URLs and
// cookies, system properties, security providers, shutdown hooks. It ends with the process on a
// phone. Here the JDK outlives the app's process, so each new process gets back what the first
// one found, and no class of an ended process stays reachable.
package dev.retap.agent.device.app;

import dev.retap.agent.world.memory.UnsafeMemory;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import sun.misc.Unsafe;

public final class JdkStatics {
  private static final Unsafe UNSAFE = UnsafeMemory.unsafe();

  /** Fields that hold an object or a boolean, as class and names. */
  private static final String[][] FIELDS = {
    {"java.net.URL", "factory"},
    {"java.net.URLConnection", "factory", "fileNameMap", "defaultUseCaches"},
    {"java.net.HttpURLConnection", "followRedirects"},
    {"java.net.Authenticator", "theAuthenticator"},
    {"java.net.CookieHandler", "cookieHandler"},
    {"java.net.ProxySelector", "theProxySelector"},
    {"java.net.ResponseCache", "theResponseCache"},
    {"java.util.Locale", "defaultLocale", "defaultDisplayLocale", "defaultFormatLocale"},
    {"java.util.TimeZone", "defaultTimeZone"},
    {"javax.net.ssl.HttpsURLConnection", "defaultHostnameVerifier", "defaultSSLSocketFactory"},
    {"javax.net.ssl.SSLContext", "defaultContext"},
    {"sun.security.jca.Providers", "providerList"},
  };

  /** Maps that keep objects of the app, as class and name. */
  private static final String[][] MAPS = {
    {"java.net.URL", "handlers"},
    {"java.net.URLConnection", "handlers"},
    {"java.lang.ApplicationShutdownHooks", "hooks"},
  };

  private final List<SavedField> saved = new ArrayList<>();
  private final Properties properties = new Properties();

  /** Remembers the state as it is before the first process of the app. */
  public JdkStatics() {
    for (String[] names : FIELDS) {
      for (int i = 1; i < names.length; i++) {
        saved.add(SavedField.of(find(names[0], names[i])));
      }
    }
    properties.putAll(System.getProperties());
  }

  /** Brings the state back. */
  public void restore() {
    saved.forEach(SavedField::restore);
    System.setProperties((Properties) properties.clone());
    for (String[] name : MAPS) {
      Field field = find(name[0], name[1]);
      Object map = UNSAFE.getObject(UNSAFE.staticFieldBase(field), UNSAFE.staticFieldOffset(field));
      if (map != null) {
        ((Map<?, ?>) map).entrySet().removeIf(entry -> isOfApp(entry.getKey(), entry.getValue()));
      }
    }
  }

  private static boolean isOfApp(Object... objects) {
    for (Object object : objects) {
      if (object.getClass().getClassLoader() instanceof AppClassLoader
          || object instanceof Thread thread
              && thread.getContextClassLoader() instanceof AppClassLoader) {
        return true;
      }
    }
    return false;
  }

  private static Field find(String type, String name) {
    try {
      return Class.forName(type).getDeclaredField(name);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this JDK has no " + type + "." + name, e);
    }
  }

  /**
   * A static field and its value.
   *
   * @param base the object that holds the field
   */
  private record SavedField(Object base, long offset, boolean isBoolean, Object value) {
    static SavedField of(Field field) {
      if (!Modifier.isStatic(field.getModifiers())) {
        throw new LinkageError("this JDK's " + field + " is not static");
      }
      Object base = UNSAFE.staticFieldBase(field);
      long offset = UNSAFE.staticFieldOffset(field);
      boolean isBoolean = field.getType() == boolean.class;
      Object value =
          isBoolean ? UNSAFE.getBoolean(base, offset) : UNSAFE.getObjectVolatile(base, offset);
      return new SavedField(base, offset, isBoolean, value);
    }

    void restore() {
      if (isBoolean) {
        UNSAFE.putBoolean(base, offset, (boolean) value);
      } else {
        UNSAFE.putObjectVolatile(base, offset, value);
      }
    }
  }
}
