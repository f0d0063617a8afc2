// The outline of a shadow, or of a picker of shadows, read from its class file without loading it.
package dev.retap.agent.rewrite;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * @param methods the names of framework methods it may implement
 * @param swallows whether framework methods that it does not implement do nothing
 * @param mentioned the classes whose literals its code contains: a picker picks one of them
 */
record ShadowOutline(String parent, Set<String> methods, boolean swallows, Set<String> mentioned) {
  static ShadowOutline of(String name) {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = ShadowOutline.class.getClassLoader().getResourceAsStream(file)) {
      if (in == null) {
        throw new IOException(file + " is not on the class path");
      }
      Reader reader = new Reader();
      new ClassReader(in).accept(reader, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      return new ShadowOutline(reader.parent, reader.methods, reader.swallows, reader.mentioned);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Reader extends ClassVisitor {
    private String parent;
    private boolean swallows;
    private final Set<String> methods = new HashSet<>();
    private final Set<String> mentioned = new HashSet<>();

    Reader() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        String signature,
        String parent,
        String[] interfaces) {
      this.parent = parent.replace('/', '.');
    }

    @Override
    public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
      return new AnnotationVisitor(Opcodes.ASM9) {
        @Override
        public void visit(String name, Object value) {
          swallows |= name.equals("callThroughByDefault") && value.equals(false);
        }
      };
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      methods.add(name);
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
          return new AnnotationVisitor(Opcodes.ASM9) {
            @Override
            public void visit(String name, Object value) {
              if (name.equals("methodName")) {
                methods.add(((String) value).trim());
              }
            }
          };
        }

        @Override
        public void visitLdcInsn(Object value) {
          if (value instanceof Type type && type.getSort() == Type.OBJECT) {
            mentioned.add(type.getClassName());
          }
        }
      };
    }
  }
}
