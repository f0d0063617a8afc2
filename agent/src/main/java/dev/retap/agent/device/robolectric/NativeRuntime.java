// Loads Android's native half from the folder where set-up unpacked it; see NativeFiles.
// Robolectric finds this class as a plug-in. Without such a folder it unpacks everything as
// Robolectric does.
package dev.retap.agent.device.robolectric;

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
  /** The first API level with files of its own, whose library needs more properties. */
  private static final int FIRST_WITH_OWN_FILES = 35;

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
    Path own = api >= FIRST_WITH_OWN_FILES ? level : common;
    String hyphens = own.resolve("hyphen-data").toString();
    System.setProperty("icu.data.path", onlyFile(own.resolve("icu")).toString());
    System.setProperty("icu.locale.default", Locale.getDefault().toLanguageTag());
    if (api >= 26) {
      // FontListParser appends file names without a separator.
      System.setProperty(
          "robolectric.nativeruntime.fontdir", common.resolve("fonts") + File.separator);
    }
    if (api >= FIRST_WITH_OWN_FILES) {
      System.setProperty("core_native_classes", String.join(",", getCoreClassNatives()));
      System.setProperty("graphics_native_classes", String.join(",", getGraphicsNatives()));
      System.setProperty("method_binding_format", METHOD_BINDING_FORMAT);
    }
    System.load(own.resolve(libraryName()).toString());
    if (api >= FIRST_WITH_OWN_FILES) {
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
