// The methods of a framework class, read from its file in the Android jar. Robolectric has split
// each of them in two there; a method that is native on a phone has a native half.
package dev.retap.agent.rewrite;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

public final class FrameworkClass extends ClassVisitor {
  private static final String PREFIX = "$$robo$$";
  private static final String NATIVE_SUFFIX = "$nativeBinding";
  private static final String STATIC_INITIALIZER = "__staticInitializer__";

  private final Map<String, Method> methods = new TreeMap<>();
  private String original;

  private FrameworkClass() {
    super(Opcodes.ASM9);
  }

  public static FrameworkClass read(byte[] classFile) {
    FrameworkClass read = new FrameworkClass();
    new ClassReader(classFile)
        .accept(read, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return read;
  }

  /** Returns the methods in the order of their names; constructors are named as shadows do. */
  public Collection<Method> methods() {
    return methods.values();
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String parent, String[] interfaces) {
    original = PREFIX + name.replace('/', '_').replace('$', '_') + "$";
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    if (name.startsWith(PREFIX) && name.endsWith(NATIVE_SUFFIX)) {
      String called = name.substring(PREFIX.length(), name.length() - NATIVE_SUFFIX.length());
      methods.put(called + descriptor, new Method(called, descriptor, true));
    } else if (name.equals(STATIC_INITIALIZER)) {
      methods.put(name, new Method(name, descriptor, false));
    } else if (name.startsWith(original)) {
      String called = name.substring(original.length());
      methods.putIfAbsent(called + descriptor, new Method(called, descriptor, false));
    }
    return null;
  }

  /**
   * @param isNative whether it is native on a phone
   */
  public record Method(String name, String descriptor, boolean isNative) {
    /** Returns true if a shadow's method with this descriptor can take the call. */
    public boolean fits(String shadowDescriptor) {
      Type[] own = Type.getArgumentTypes(descriptor);
      Type[] other = Type.getArgumentTypes(shadowDescriptor);
      boolean fits = own.length == other.length;
      for (int i = 0; fits && i < own.length; i++) {
        // Shadows write Object for a type that they cannot name.
        fits =
            own[i].equals(other[i])
                || own[i].getSort() >= Type.ARRAY
                    && other[i].getClassName().equals("java.lang.Object");
      }
      return fits;
    }
  }
}
