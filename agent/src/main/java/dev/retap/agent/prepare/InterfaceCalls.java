// Calls of static, private and default methods of interfaces. In dex such a call looks like that of
// a class's method, and dex2jar translates it so. A JVM wants to be told that the owner is an
// interface and throws IncompatibleClassChangeError otherwise.
package dev.retap.agent.prepare;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class InterfaceCalls implements AutoCloseable {
  /** Classes of these packages come from the JDK, whatever the framework's jar has. */
  private static final String JDK = "java/";

  private final ZipFile app;
  private final ZipFile framework;
  private final Map<String, Boolean> known = new HashMap<>();

  /** Knows the classes of the app, of the framework and of the JDK. */
  InterfaceCalls(Path translated, Path framework) throws IOException {
    this.app = new ZipFile(translated.toFile());
    this.framework = new ZipFile(framework.toFile());
  }

  @Override
  public void close() throws IOException {
    try (app) {
      framework.close();
    }
  }

  /** Returns the class with its calls marked as what they are. */
  byte[] mark(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new MarkingVisitor(writer), 0);
    return writer.toByteArray();
  }

  private final class MarkingVisitor extends ClassVisitor {
    MarkingVisitor(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String type, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, type, signature, exceptions);
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String type, boolean isInterface) {
          boolean isOpen = opcode == Opcodes.INVOKESTATIC || opcode == Opcodes.INVOKESPECIAL;
          boolean marked = isOpen ? isInterface(owner) : isInterface;
          super.visitMethodInsn(opcode, owner, called, type, marked);
        }

        @Override
        public void visitInvokeDynamicInsn(
            String called, String type, Handle bootstrap, Object... arguments) {
          super.visitInvokeDynamicInsn(called, type, (Handle) marked(bootstrap), marked(arguments));
        }

        @Override
        public void visitLdcInsn(Object value) {
          super.visitLdcInsn(marked(value));
        }
      };
    }
  }

  private Object[] marked(Object[] constants) {
    Object[] marked = new Object[constants.length];
    for (int i = 0; i < constants.length; i++) {
      marked[i] = marked(constants[i]);
    }
    return marked;
  }

  /** Returns a constant in which handles of methods say whether the owner is an interface. */
  private Object marked(Object constant) {
    if (constant instanceof Handle handle && handle.getTag() >= Opcodes.H_INVOKEVIRTUAL) {
      return new Handle(
          handle.getTag(),
          handle.getOwner(),
          handle.getName(),
          handle.getDesc(),
          isInterface(handle.getOwner()));
    }
    if (constant instanceof ConstantDynamic dynamic) {
      Object[] arguments = new Object[dynamic.getBootstrapMethodArgumentCount()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = marked(dynamic.getBootstrapMethodArgument(i));
      }
      Handle bootstrap = (Handle) marked(dynamic.getBootstrapMethod());
      return new ConstantDynamic(dynamic.getName(), dynamic.getDescriptor(), bootstrap, arguments);
    }
    return constant;
  }

  /** Returns true for an interface. A class that nobody has is none: a call of it fails anyway. */
  private boolean isInterface(String owner) {
    return known.computeIfAbsent(owner, this::findKind);
  }

  private boolean findKind(String owner) {
    if (owner.startsWith("[")) {
      return false;
    }
    Boolean kind = owner.startsWith(JDK) ? null : findIn(framework, owner);
    if (kind == null && !owner.startsWith(JDK)) {
      kind = findIn(app, owner);
    }
    return kind == null ? findInJdk(owner) : kind;
  }

  /** Returns whether a class of a jar is an interface, or null if the jar does not have it. */
  private static Boolean findIn(ZipFile jar, String name) {
    ZipEntry entry = jar.getEntry(name + ".class");
    if (entry == null) {
      return null;
    }
    try (InputStream in = jar.getInputStream(entry)) {
      return (new ClassReader(in).getAccess() & Opcodes.ACC_INTERFACE) != 0;
    } catch (IOException | RuntimeException unreadable) {
      return null;
    }
  }

  private static boolean findInJdk(String name) {
    try {
      ClassLoader platform = ClassLoader.getPlatformClassLoader();
      return Class.forName(name.replace('/', '.'), false, platform).isInterface();
    } catch (ClassNotFoundException | LinkageError unknown) {
      return false;
    }
  }
}
