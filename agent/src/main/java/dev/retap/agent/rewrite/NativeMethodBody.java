// The body of a native method of the app. Its machine code cannot run here, so it asks
// NativeLibraries for the error to throw.
package dev.retap.agent.rewrite;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

final class NativeMethodBody {
  private static final String LIBRARIES = "dev/retap/agent/device/app/NativeLibraries";

  private NativeMethodBody() {}

  static void write(MethodVisitor out, String owner, int access, String method, String descriptor) {
    int arguments = Type.getArgumentsAndReturnSizes(descriptor) >> 2;
    out.visitCode();
    out.visitLdcInsn(owner.replace('/', '.') + "." + method);
    out.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        LIBRARIES,
        "refuse",
        "(Ljava/lang/String;)Ljava/lang/UnsatisfiedLinkError;",
        false);
    out.visitInsn(Opcodes.ATHROW);
    out.visitMaxs(1, (access & Opcodes.ACC_STATIC) != 0 ? arguments - 1 : arguments);
    out.visitEnd();
  }
}
