// The one pass over a class: calls the table names are replaced, a thread's first line waits for its
// turn, and so does one that has got a monitor; an app's loops are counted, the framework's static
// collections are noted. An app's classes pass when the APK is prepared, the framework's when loaded.
package dev.retap.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

public final class CallRewriter extends ClassVisitor {
  private static final String REMEMBERED = "dev/retap/agent/world/Remembered";

  private final boolean inApp;
  private boolean mayBeThread;

  private CallRewriter(ClassVisitor next, boolean inApp) {
    super(Opcodes.ASM9, next);
    this.inApp = inApp;
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
        out.write(entry.getName().endsWith(".class") ? rewrite(bytes, true) : bytes);
        out.closeEntry();
      }
    }
  }

  public static byte[] rewrite(byte[] classFile, boolean inApp) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new CallRewriter(writer, inApp), 0);
    return writer.toByteArray();
  }

  /** A class of the framework, with the way to its shadows shortened. */
  static byte[] rewrite(byte[] classFile, ShadowedNames shadowed) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new DirectCalls(new CallRewriter(writer, false), shadowed), 0);
    return writer.toByteArray();
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String parent, String[] interfaces) {
    super.visit(version, access, name, signature, parent, interfaces);
    mayBeThread = inApp ? !"java/lang/Object".equals(parent) : parent != null && parent.endsWith("Thread");
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next =
        new MonitorEntry(super.visitMethod(access, name, descriptor, signature, exceptions));
    boolean firstLine = mayBeThread && name.equals("run") && descriptor.equals("()V");
    boolean locked = (access & Opcodes.ACC_SYNCHRONIZED) != 0;
    Set<Label> passed = new HashSet<>();
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitCode() {
        super.visitCode();
        if (firstLine) {
          tell("arrive");
        }
        if (locked) {
          tell("entered");
        }
      }

      @Override
      public void visitLabel(Label label) {
        passed.add(label);
        super.visitLabel(label);
      }

      @Override
      public void visitJumpInsn(int opcode, Label to) {
        if (inApp && passed.contains(to)) {
          tell("looped");
        }
        super.visitJumpInsn(opcode, to);
      }

      @Override
      public void visitFieldInsn(int opcode, String owner, String field, String type) {
        if (!inApp && opcode == Opcodes.PUTSTATIC && isCollection(type)) {
          super.visitInsn(Opcodes.DUP);
          super.visitMethodInsn(
              Opcodes.INVOKESTATIC, REMEMBERED, "keep", "(Ljava/lang/Object;)V", false);
        }
        super.visitFieldInsn(opcode, owner, field, type);
      }

      private void tell(String what) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, CallTable.BLOCKING, what, "()V", false);
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

  /** Of the libraries' types in `java.util` and `android.util` most are, and the others do no harm. */
  private static boolean isCollection(String descriptor) {
    return descriptor.startsWith("Ljava/util/") || descriptor.startsWith("Landroid/util/");
  }
}
