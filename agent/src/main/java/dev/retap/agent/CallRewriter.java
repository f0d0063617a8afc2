// The one pass over an app's classes: calls to the JDK that a phone would answer differently are
// sent to AppCalls instead. Done when the APK is prepared, so that loading a class costs nothing.
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
  private static final String TARGET = "dev/retap/agent/device/AppCalls";

  /** Owner.name+descriptor of a call, and the static method that takes its place. */
  private static final Map<String, String> CALLS =
      Map.of(
          "java/lang/System.currentTimeMillis()J", "currentTimeMillis",
          "java/lang/System.nanoTime()J", "nanoTime",
          "java/lang/System.exit(I)V", "exit",
          "java/lang/Runtime.exit(I)V", "exit",
          "java/lang/Runtime.halt(I)V", "exit",
          "java/lang/Thread.sleep(J)V", "sleep",
          "java/lang/Thread.sleep(JI)V", "sleep",
          "android/os/Process.killProcess(I)V", "killProcess",
          "android/os/SystemClock.sleep(J)V", "sleep");

  private CallRewriter(ClassVisitor next) {
    super(Opcodes.ASM9, next);
  }

  static void rewrite(Path from, Path to) throws IOException {
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

  static byte[] rewrite(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new CallRewriter(writer), 0);
    return writer.toByteArray();
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitMethodInsn(
          int opcode, String owner, String called, String type, boolean isInterface) {
        String target = CALLS.get(owner + "." + called + type);
        if (target == null || opcode == Opcodes.INVOKESPECIAL) {
          super.visitMethodInsn(opcode, owner, called, type, isInterface);
          return;
        }
        // The receiver of an instance call becomes the first argument.
        String replaced =
            opcode == Opcodes.INVOKESTATIC ? type : "(L" + owner + ";" + type.substring(1);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, TARGET, target, replaced, false);
      }
    };
  }
}
