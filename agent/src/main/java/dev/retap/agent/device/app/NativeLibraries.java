// The native libraries of the app. Loading one that the APK has, for any processor, succeeds;
// loading another fails as on a phone. No machine code runs: a native method that is called after
// that is a call that nobody plays. The class is public because the app's classes, which come from
// another class loader, call it.
package dev.retap.agent.device.app;

import dev.retap.agent.world.MissingCalls;
import java.io.File;
import java.util.Set;
import java.util.TreeSet;

public final class NativeLibraries {
  /** Libraries of the system that an app may load by name. */
  private static final Set<String> OF_SYSTEM =
      Set.of(
          "libaaudio.so",
          "libamidi.so",
          "libandroid.so",
          "libbinder_ndk.so",
          "libc.so",
          "libcamera2ndk.so",
          "libdl.so",
          "libEGL.so",
          "libGLESv1_CM.so",
          "libGLESv2.so",
          "libGLESv3.so",
          "libjnigraphics.so",
          "liblog.so",
          "libm.so",
          "libmediandk.so",
          "libneuralnetworks.so",
          "libOpenMAXAL.so",
          "libOpenSLES.so",
          "libstdc++.so",
          "libsync.so",
          "libvulkan.so",
          "libz.so");

  private static final Set<String> OF_APP = new TreeSet<>();

  /** True once the app's process has loaded a library of its own. */
  private static boolean hasLoaded;

  private NativeLibraries() {}

  /** Begins a new process of an app that carries these files, such as {@code libfoo.so}. */
  static synchronized void begin(Set<String> files) {
    OF_APP.clear();
    OF_APP.addAll(files);
    hasLoaded = false;
  }

  /** Replaces {@code System.loadLibrary}. */
  public static void loadLibrary(String name) {
    String file = "lib" + name + ".so";
    if (!find(file)) {
      throw new UnsatisfiedLinkError(
          "dalvik.system.PathClassLoader[DexPathList[[zip file \"/data/app/base.apk\"],"
              + "nativeLibraryDirectories=[/system/lib64, /vendor/lib64]]] couldn't find \""
              + file
              + "\"");
    }
  }

  /** Replaces {@code Runtime.loadLibrary}. */
  public static void loadLibrary(Runtime runtime, String name) {
    loadLibrary(name);
  }

  /** Replaces {@code System.load}. A file of the app's own, unpacked or fetched, counts too. */
  public static void load(String path) {
    File file = new File(path);
    if (!file.isAbsolute()) {
      throw new UnsatisfiedLinkError("Expecting an absolute path of the library: " + path);
    }
    if (find(file.getName())) {
      return;
    }
    if (!file.isFile()) {
      throw new UnsatisfiedLinkError("dlopen failed: library \"" + path + "\" not found");
    }
    setLoaded();
  }

  /** Replaces {@code Runtime.load}. */
  public static void load(Runtime runtime, String path) {
    load(path);
  }

  /**
   * Returns the error of a call of a native method. Without any library of the app a phone has no
   * code for it either.
   */
  public static UnsatisfiedLinkError refuse(String call) {
    if (hasLoaded()) {
      return MissingCalls.refuse(call);
    }
    return new UnsatisfiedLinkError(
        "No implementation found for " + call + " (tried Java_" + call.replace('.', '_') + ")");
  }

  private static synchronized boolean find(String file) {
    boolean isOfApp = OF_APP.contains(file);
    hasLoaded |= isOfApp;
    return isOfApp || OF_SYSTEM.contains(file);
  }

  private static synchronized void setLoaded() {
    hasLoaded = true;
  }

  private static synchronized boolean hasLoaded() {
    return hasLoaded;
  }
}
