// The outline of a shadow, or of a picker of shadows, read from its class file without loading it.
package dev.retap.agent.rewrite;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * @param replaces the class that it shadows, as in Class.getName; empty if it is no shadow
 * @param minSdk the lowest API level it is for
 * @param maxSdk the highest, or -1
 * @param swallows whether framework methods that it does not implement do nothing
 * @param mentioned the classes whose literals its code contains: a picker picks one of them
 */
public record ShadowOutline(
    String name,
    String parent,
    String replaces,
    int minSdk,
    int maxSdk,
    boolean swallows,
    List<Method> methods,
    Set<String> mentioned) {

  /**
   * A method that may implement one of the framework.
   *
   * @param name its name in the shadow
   * @param implemented the name of the framework's method
   */
  public record Method(String name, String implemented, String descriptor, int minSdk, int maxSdk) {
    /** Returns true if the method is meant for this API level. */
    public boolean isFor(int apiLevel) {
      return minSdk <= apiLevel && (maxSdk == -1 || maxSdk >= apiLevel);
    }
  }

  /** Returns true if the shadow is meant for this API level. */
  public boolean isFor(int apiLevel) {
    return minSdk <= apiLevel && (maxSdk == -1 || maxSdk >= apiLevel);
  }

  public static ShadowOutline of(String name) {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = ShadowOutline.class.getClassLoader().getResourceAsStream(file)) {
      if (in == null) {
        throw new IOException(file + " is not on the class path");
      }
      Reader reader = new Reader();
      new ClassReader(in).accept(reader, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      return new ShadowOutline(
          name,
          reader.parent,
          reader.limits.named,
          reader.limits.minSdk,
          reader.limits.maxSdk,
          reader.limits.swallows,
          reader.methods,
          reader.mentioned);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Reader extends ClassVisitor {
    private String parent;
    private final Limits limits = new Limits();
    private final List<Method> methods = new ArrayList<>();
    private final Set<String> mentioned = new LinkedHashSet<>();

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
      return descriptor.equals("Lorg/robolectric/annotation/Implements;") ? limits : null;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      boolean isVisible = (access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0;
      Limits limits = new Limits();
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
          return annotation.equals("Lorg/robolectric/annotation/Implementation;") ? limits : null;
        }

        @Override
        public void visitLdcInsn(Object value) {
          if (value instanceof Type type && type.getSort() == Type.OBJECT) {
            mentioned.add(type.getClassName());
          }
        }

        @Override
        public void visitEnd() {
          if (isVisible) {
            String implemented = limits.named.isEmpty() ? name : limits.named;
            methods.add(new Method(name, implemented, descriptor, limits.minSdk, limits.maxSdk));
          }
        }
      };
    }
  }

  /** What an annotation says: for which class or method, and for which API levels. */
  private static final class Limits extends AnnotationVisitor {
    private String named = "";
    private int minSdk = -1;
    private int maxSdk = -1;
    private boolean swallows;

    Limits() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visit(String name, Object value) {
      switch (name) {
        case "minSdk" -> minSdk = (int) value;
        case "maxSdk" -> maxSdk = (int) value;
        case "value" -> named = ((Type) value).getClassName();
        case "className", "methodName" -> named = ((String) value).trim();
        case "callThroughByDefault" -> swallows = value.equals(false);
        default -> {}
      }
    }
  }
}
