// The one pass over a class: calls the table names are replaced, and a thread's first line waits
// for its turn. An app's classes pass when the APK is prepared, the framework's when loaded.
package dev.retap.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class CallRewriter extends ClassVisitor {
  private final boolean inApp;
  private final String source;
  private boolean mayBeThread;

  private CallRewriter(ClassVisitor next, boolean inApp, String source) {
    super(Opcodes.ASM9, next);
    this.inApp = inApp;
    this.source = source;
  }

  /**
   * @param sources the file each class was compiled from, by internal class name
   */
  static void rewrite(Path from, Path to, Map<String, String> sources) throws IOException {
    try (ZipFile zip = new ZipFile(from.toFile());
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(to))) {
      for (ZipEntry entry : zip.stream().toList()) {
        if (entry.isDirectory()) {
          continue;
        }
        byte[] bytes = zip.getInputStream(entry).readAllBytes();
        out.putNextEntry(new ZipEntry(entry.getName()));
        String name = entry.getName();
        out.write(
            name.endsWith(".class")
                ? rewrite(bytes, true, sources.get(name.substring(0, name.length() - 6)))
                : bytes);
        out.closeEntry();
      }
    }
  }

  /**
   * @param source the file to name in stack traces, or null to leave it alone
   */
  static byte[] rewrite(byte[] classFile, boolean inApp, String source) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new CallRewriter(writer, inApp, source), 0);
    return writer.toByteArray();
  }

  /** A class of the framework, with the way to its shadows shortened. */
  static byte[] rewrite(byte[] classFile, ShadowedNames shadowed) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new DirectCalls(new CallRewriter(writer, false, null), shadowed), 0);
    return writer.toByteArray();
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String parent, String[] interfaces) {
    super.visit(version, access, name, signature, parent, interfaces);
    mayBeThread = inApp ? !"java/lang/Object".equals(parent) : parent != null && parent.endsWith("Thread");
    if (source != null) {
      super.visitSource(source, null);
    }
  }

  @Override
  public void visitSource(String file, String debug) {
    if (source == null) {
      super.visitSource(file, debug);
    }
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    boolean firstLine = mayBeThread && name.equals("run") && descriptor.equals("()V");
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitCode() {
        super.visitCode();
        if (firstLine) {
          super.visitMethodInsn(Opcodes.INVOKESTATIC, CallTable.BLOCKING, "arrive", "()V", false);
        }
      }

      @Override
      public void visitMethodInsn(
          int opcode, String owner, String called, String type, boolean isInterface) {
        CallTable.call(mv, inApp, opcode, owner, called, type, isInterface);
      }

      @Override
      public void visitMaxs(int stack, int locals) {
        super.visitMaxs(stack + 1, locals);
      }
    };
  }
}
