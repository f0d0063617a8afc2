// Turns class files into dex files with D8. The classes came from dex code that runs on the app's
// lowest API level, so that there is nothing to desugar.
package dev.retap.agent.packaging;

import com.android.tools.r8.ByteDataView;
import com.android.tools.r8.CompilationFailedException;
import com.android.tools.r8.CompilationMode;
import com.android.tools.r8.D8;
import com.android.tools.r8.D8Command;
import com.android.tools.r8.DexIndexedConsumer;
import com.android.tools.r8.Diagnostic;
import com.android.tools.r8.DiagnosticsHandler;
import com.android.tools.r8.origin.Origin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * @param framework a jar of the framework
 * @param translated all classes of the app
 */
record Dexer(Path framework, Path translated, int minApi) {
  /** The classes that keep the probes. */
  private static final String[] KEEPERS = {
    "Probes", "ExecutionData", "CoverageProvider", "LastProbes"
  };

  private static final String KEEPERS_FOLDER = "/dev/retap/probes/";

  /**
   * Writes `classes.dex`, `classes2.dex` and so on to a folder.
   *
   * @param probed the jar of the classes with probes
   * @return the classes that cannot become dex, by internal name, with the reasons; if there are
   *     any, the files are of no use
   */
  Map<String, String> write(Path probed, Path folder) throws IOException {
    Map<String, byte[]> classes = read(probed);
    Map<String, byte[]> all = new TreeMap<>(classes);
    for (String name : KEEPERS) {
      try (InputStream in = Dexer.class.getResourceAsStream(KEEPERS_FOLDER + name + ".class")) {
        all.put(KEEPERS_FOLDER.substring(1) + name, in.readAllBytes());
      }
    }
    String failure = compile(all, new DexFolder(folder));
    return failure == null ? Map.of() : findFailing(classes, failure);
  }

  /** Compiles each class by itself to find those that fail. */
  private Map<String, String> findFailing(Map<String, byte[]> classes, String failure)
      throws IOException {
    Map<String, String> failing = new TreeMap<>();
    classes.forEach(
        (name, bytes) -> {
          String reason = compile(Map.of(name, bytes), DexIndexedConsumer.emptyConsumer());
          if (reason != null) {
            failing.put(name, "D8: " + reason);
          }
        });
    if (failing.isEmpty()) {
      throw new IOException("D8: " + failure);
    }
    return failing;
  }

  /** Returns why D8 failed, or null. */
  private String compile(Map<String, byte[]> classes, DexIndexedConsumer consumer) {
    FirstError errors = new FirstError();
    try {
      D8Command.Builder command =
          D8Command.builder(errors)
              .setMode(CompilationMode.DEBUG)
              .setMinApiLevel(minApi)
              .setDisableDesugaring(true)
              .addLibraryFiles(framework)
              .addClasspathFiles(translated)
              .setProgramConsumer(consumer);
      classes.forEach((name, bytes) -> command.addClassProgramData(bytes, Origin.unknown()));
      D8.run(command.build());
      return errors.message;
    } catch (CompilationFailedException e) {
      return errors.message == null ? String.valueOf(e.getMessage()) : errors.message;
    } catch (RuntimeException e) {
      return e.toString();
    }
  }

  private static Map<String, byte[]> read(Path jar) throws IOException {
    Map<String, byte[]> classes = new TreeMap<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        String name = entry.getName();
        byte[] bytes = zip.getInputStream(entry).readAllBytes();
        classes.put(name.substring(0, name.length() - ".class".length()), bytes);
      }
    }
    return classes;
  }

  /** Remembers what went wrong first. Warnings are about classes that the app lacks anyway. */
  private static final class FirstError implements DiagnosticsHandler {
    private String message;

    @Override
    public synchronized void error(Diagnostic error) {
      message = message == null ? error.getDiagnosticMessage() : message;
    }

    @Override
    public void warning(Diagnostic warning) {}

    @Override
    public void info(Diagnostic info) {}
  }

  private record DexFolder(Path folder) implements DexIndexedConsumer {
    @Override
    public void accept(
        int index, ByteDataView data, Set<String> descriptors, DiagnosticsHandler handler) {
      String number = index == 0 ? "" : Integer.toString(index + 1);
      try {
        Files.write(folder.resolve("classes" + number + ".dex"), data.copyByteData());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void finished(DiagnosticsHandler handler) {}
  }
}
