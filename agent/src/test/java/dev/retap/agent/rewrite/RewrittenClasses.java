// Class files for tests of the rewriters: reads them, loads their rewritten form, lists their
// calls.
package dev.retap.agent.rewrite;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class RewrittenClasses {
  private RewrittenClasses() {}

  static byte[] bytesOf(Class<?> type) throws IOException {
    return bytesOf(type.getName().replace('.', '/'));
  }

  static byte[] bytesOf(String internalName) throws IOException {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(internalName + ".class")) {
      return in.readAllBytes();
    }
  }

  /** Loads a rewritten class beside the original one. */
  static Class<?> load(Class<?> original, byte[] rewritten) {
    return new ClassLoader(original.getClassLoader()) {
      Class<?> define() {
        return defineClass(original.getName(), rewritten, 0, rewritten.length);
      }
    }.define();
  }

  /** Returns the calls of a method, in order, as class.method+descriptor. */
  static List<String> callsIn(byte[] classFile, String method) {
    List<String> calls = new ArrayList<>();
    new ClassReader(classFile)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access,
                  String name,
                  String descriptor,
                  String signature,
                  String[] exceptions) {
                return name.equals(method) ? new CallLister(calls) : null;
              }
            },
            0);
    return calls;
  }

  private static final class CallLister extends MethodVisitor {
    private final List<String> calls;

    CallLister(List<String> calls) {
      super(Opcodes.ASM9);
      this.calls = calls;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      calls.add(owner + "." + name + descriptor);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      calls.add("dynamic " + bootstrap.getOwner() + "." + bootstrap.getName());
    }
  }
}
