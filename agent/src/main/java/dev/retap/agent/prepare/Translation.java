// Translates the dex code of APKs to class files.
package dev.retap.agent.prepare;

import com.googlecode.d2j.dex.Dex2jar;
import com.googlecode.d2j.dex.DexExceptionHandler;
import com.googlecode.d2j.reader.BaseDexFileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

public final class Translation {
  private Translation() {}

  /**
   * Writes all classes to a jar, without built-in probes and each with its source file. Where two
   * dex files have a class of one name, the first counts.
   *
   * @param framework the jar of the framework that the app runs on
   * @param failures learns of methods that cannot be translated; if null, they throw when called
   */
  public static void write(
      List<byte[]> apks, Path framework, Path jar, DexExceptionHandler failures)
      throws IOException {
    LongStrings strings = new LongStrings();
    BaseDexFileReader dex = strings.cut(DexFiles.read(apks));
    Path sourceless = jar.resolveSibling("sourceless.jar");
    Dex2jar translator = Dex2jar.from(dex).skipDebug(false).computeFrames(false);
    translator.dontSanitizeNames(true);
    translator.withExceptionHandler(failures == null ? new RefusedMethods() : failures);
    translator.to(sourceless);
    SourceFiles.copy(dex, strings, sourceless, framework, jar);
    Files.delete(sourceless);
  }
}
