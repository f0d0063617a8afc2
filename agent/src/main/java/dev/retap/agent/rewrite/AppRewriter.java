// All passes over an app's classes, in their order.
package dev.retap.agent.rewrite;

import dev.retap.agent.rewrite.statics.AppHierarchy;
import dev.retap.agent.rewrite.statics.StaticsRewriter;
import dev.retap.agent.world.AppStatics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

public final class AppRewriter {
  private final ThreadClasses threads;

  /** Null if the app's classes are loaded anew for each process. */
  private final AppHierarchy app;

  private AppRewriter(Path translated, AppHierarchy app) throws IOException {
    try (ZipFile classes = new ZipFile(translated.toFile())) {
      threads = ThreadClasses.in(classes);
    }
    this.app = app;
  }

  /** Returns the passes for classes that are loaded anew for each process of the app. */
  public static AppRewriter forOneProcess(Path translated) throws IOException {
    return new AppRewriter(translated, null);
  }

  /**
   * Returns the passes for classes that all processes of the app share.
   *
   * @param framework the jar of the framework that the app runs on
   */
  public static AppRewriter forManyProcesses(Path translated, Path framework) throws IOException {
    AppHierarchy app = AppHierarchy.of(translated, framework);
    if (app.size() > AppStatics.MOST_CLASSES) {
      throw new IllegalArgumentException(app.size() + " classes have static initialisers");
    }
    return new AppRewriter(translated, app);
  }

  /** Rewrites one class. Throws a RuntimeException if its code has no room. */
  public byte[] rewrite(byte[] classFile) {
    byte[] rewritten = CallRewriter.rewrite(classFile, true, threads);
    return app == null ? rewritten : StaticsRewriter.rewrite(rewritten, app);
  }

  /** Rewrites all classes of a jar. */
  public void rewrite(Path from, Path to) throws IOException {
    try (ZipFile zip = new ZipFile(from.toFile());
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(to))) {
      for (ZipEntry entry : zip.stream().toList()) {
        if (entry.isDirectory()) {
          continue;
        }
        byte[] bytes = zip.getInputStream(entry).readAllBytes();
        out.putNextEntry(new ZipEntry(entry.getName()));
        out.write(entry.getName().endsWith(".class") ? rewrite(bytes) : bytes);
        out.closeEntry();
      }
    }
  }
}
