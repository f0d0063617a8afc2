// Android's native half, loaded from where set-up has unpacked it; see NativeFiles. Found by Robolectric
// as a plug-in. Without such a place it unpacks everything as Robolectric itself does.
package dev.retap.agent.device;

import android.graphics.Typeface;
import android.text.Hyphenator;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import javax.annotation.Priority;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.nativeruntime.DefaultNativeRuntimeLoader;

@Priority(1)
public final class NativeRuntime extends DefaultNativeRuntimeLoader {
  /** The first API level that brings files of its own, and a library that must be told more. */
  private static final int OWN_FILES = 35;

  @Override
  public synchronized void ensureLoaded() {
    String level = System.getProperty("retap.framework");
    String common = System.getProperty("retap.runtime");
    if (level == null || common == null) {
      super.ensureLoaded();
    } else if (loaded.compareAndSet(false, true)) {
      load(Path.of(level), Path.of(common));
    }
  }

  private void load(Path level, Path common) {
    int api = RuntimeEnvironment.getApiLevel();
    Path own = api >= OWN_FILES ? level : common;
    String hyphens = own.resolve("hyphen-data").toString();
    System.setProperty("icu.data.path", onlyFile(own.resolve("icu")).toString());
    System.setProperty("icu.locale.default", Locale.getDefault().toLanguageTag());
    if (api >= 26) {
      // FontListParser puts names right behind it.
      System.setProperty(
          "robolectric.nativeruntime.fontdir", common.resolve("fonts") + File.separator);
    }
    if (api >= OWN_FILES) {
      System.setProperty("core_native_classes", String.join(",", getCoreClassNatives()));
      System.setProperty("graphics_native_classes", String.join(",", getGraphicsNatives()));
      System.setProperty("method_binding_format", METHOD_BINDING_FORMAT);
    }
    System.load(own.resolve(libraryName()).toString());
    if (api >= OWN_FILES) {
      invokeDeferredStaticInitializers();
      setNativeSystemProperty("ro.hyphen.data.dir", hyphens);
      Typeface.loadPreinstalledSystemFontMap();
    } else {
      System.setProperty("hyphen.data.dir", hyphens);
    }
    if (api >= 28) {
      Hyphenator.init();
    }
  }

  private static Path onlyFile(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findFirst().orElseThrow();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
