// The source file of each class, as the dex says. dex2jar drops it, and without it a stack trace
// has no line numbers and a coverage report no sources.
package dev.retap.agent.prepare;

import com.googlecode.d2j.reader.BaseDexFileReader;
import com.googlecode.d2j.reader.DexFileReader;
import com.googlecode.d2j.visitors.DexClassVisitor;
import com.googlecode.d2j.visitors.DexFileVisitor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

final class SourceFiles {
  private SourceFiles() {}

  /**
   * Copies the translated classes without probes, with marked calls and long strings in one piece,
   * and names the source file in each.
   *
   * @param framework the jar of the framework that the app runs on
   */
  static void copy(BaseDexFileReader dex, LongStrings strings, Path from, Path framework, Path to)
      throws IOException {
    Map<String, String> sources = read(dex);
    try (ZipFile zip = new ZipFile(from.toFile());
        InterfaceCalls calls = new InterfaceCalls(from, framework);
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(to))) {
      for (ZipEntry entry : zip.stream().filter(e -> !e.isDirectory()).toList()) {
        byte[] bytes = zip.getInputStream(entry).readAllBytes();
        String name = entry.getName();
        if (name.endsWith(".class")) {
          String type = name.substring(0, name.length() - 6);
          String source = sources.get(type);
          bytes = strings.join(type, bytes);
          bytes = BuiltInProbes.remove(source == null ? bytes : withSource(bytes, source));
          bytes = calls.mark(bytes);
        }
        out.putNextEntry(new ZipEntry(name));
        out.write(bytes);
        out.closeEntry();
      }
    }
  }

  private static byte[] withSource(byte[] classFile, String source) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public void visit(
              int version,
              int access,
              String name,
              String signature,
              String parent,
              String[] interfaces) {
            super.visit(version, access, name, signature, parent, interfaces);
            super.visitSource(source, null);
          }

          @Override
          public void visitSource(String file, String debug) {}
        },
        0);
    return writer.toByteArray();
  }

  /** Returns the source files by internal class name. */
  private static Map<String, String> read(BaseDexFileReader dex) {
    Map<String, String> sources = new HashMap<>();
    dex.accept(
        new DexFileVisitor() {
          @Override
          public DexClassVisitor visit(
              int access, String name, String parent, String[] interfaces) {
            String type = name.substring(1, name.length() - 1);
            return new DexClassVisitor() {
              @Override
              public void visitSource(String file) {
                if (file != null) {
                  sources.putIfAbsent(type, file);
                }
              }
            };
          }
        },
        DexFileReader.SKIP_CODE
            | DexFileReader.SKIP_ANNOTATION
            | DexFileReader.SKIP_FIELD_CONSTANT);
    return sources;
  }
}
