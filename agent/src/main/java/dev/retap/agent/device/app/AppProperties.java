// The properties of an app's process (System.getProperty), as a phone has them. They are the
// process's own: the host's stay hidden, and what the app sets ends with the process.
package dev.retap.agent.device.app;

import android.app.ActivityThread;
import android.app.Application;
import android.os.Build;
import java.util.Locale;
import java.util.Properties;

public final class AppProperties {
  private static final String TEMPORARY_FOLDER = "java.io.tmpdir";

  private static final String[] FIXED = {
    "android.icu.library.version", "60.2",
    "android.icu.unicode.version", "10.0",
    "android.openssl.version", "OpenSSL 1.1.0 (compatible; BoringSSL)",
    "android.zlib.version", "1.2.11",
    "file.encoding", "UTF-8",
    "file.separator", "/",
    "java.class.path", ".",
    "java.class.version", "50.0",
    "java.compiler", "",
    "java.ext.dirs", "",
    "java.home", "/system",
    "java.library.path", "/system/lib64:/vendor/lib64",
    "java.net.preferIPv6Addresses", "false",
    "java.runtime.name", "Android Runtime",
    "java.runtime.version", "0.9",
    "java.specification.name", "Dalvik Core Library",
    "java.specification.vendor", "The Android Project",
    "java.specification.version", "0.9",
    "java.vendor", "The Android Project",
    "java.vendor.url", "http://www.android.com/",
    "java.version", "0",
    "java.vm.name", "Dalvik",
    "java.vm.specification.name", "Dalvik Virtual Machine Specification",
    "java.vm.specification.vendor", "The Android Project",
    "java.vm.specification.version", "0.9",
    "java.vm.vendor", "The Android Project",
    "java.vm.vendor.url", "http://www.android.com/",
    "java.vm.version", "2.1.0",
    "line.separator", "\n",
    "os.arch", "aarch64",
    "os.name", "Linux",
    "os.version", "4.9.0",
    "path.separator", ":",
    "user.dir", "/",
    "user.home", "",
    "user.name", "",
  };

  private static Properties current;

  private AppProperties() {}

  /** Forgets what the last process has set. */
  static synchronized void renew() {
    current = null;
  }

  public static synchronized Properties getProperties() {
    if (current == null) {
      current = create();
    }
    Application application = ActivityThread.currentApplication();
    if (application != null && !current.containsKey(TEMPORARY_FOLDER)) {
      current.setProperty(TEMPORARY_FOLDER, application.getCacheDir().getPath());
    }
    return current;
  }

  public static synchronized void setProperties(Properties properties) {
    current = properties == null ? create() : properties;
  }

  public static String getProperty(String name) {
    checkName(name);
    return getProperties().getProperty(name);
  }

  public static String getProperty(String name, String otherwise) {
    checkName(name);
    return getProperties().getProperty(name, otherwise);
  }

  public static String setProperty(String name, String value) {
    checkName(name);
    return (String) getProperties().setProperty(name, value);
  }

  public static String clearProperty(String name) {
    checkName(name);
    return (String) getProperties().remove(name);
  }

  /** Returns those that are the same on every phone. */
  static Properties fixed() {
    Properties properties = new Properties();
    for (int i = 0; i < FIXED.length; i += 2) {
      properties.setProperty(FIXED[i], FIXED[i + 1]);
    }
    return properties;
  }

  private static Properties create() {
    Properties properties = fixed();
    Locale locale = Locale.getDefault();
    properties.setProperty("user.language", locale.getLanguage());
    properties.setProperty("user.region", locale.getCountry());
    properties.setProperty("user.locale", locale.toLanguageTag());
    properties.setProperty("http.agent", userAgent());
    return properties;
  }

  private static String userAgent() {
    return "Dalvik/2.1.0 (Linux; U; Android "
        + Build.VERSION.RELEASE
        + "; "
        + Build.MODEL
        + " Build/"
        + Build.ID
        + ")";
  }

  private static void checkName(String name) {
    if (name == null) {
      throw new NullPointerException("key == null");
    }
    if (name.isEmpty()) {
      throw new IllegalArgumentException("key is empty");
    }
  }
}
