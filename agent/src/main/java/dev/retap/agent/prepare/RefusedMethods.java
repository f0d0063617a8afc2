// Methods that dex2jar cannot translate. Left alone, it writes them without code, which the JVM
// does not survive. So each throws what the phone takes for a limitation of its host.
package dev.retap.agent.prepare;

import com.googlecode.d2j.Method;
import com.googlecode.d2j.dex.DexExceptionHandler;
import com.googlecode.d2j.node.DexMethodNode;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class RefusedMethods implements DexExceptionHandler {
  private static final String ERROR = "java/lang/RuntimeException";

  @Override
  public void handleFileException(Exception e) {
    throw new IllegalArgumentException("the dex code cannot be read: " + e, e);
  }

  @Override
  public void handleMethodTranslateException(
      Method method, DexMethodNode node, MethodVisitor out, Exception e) {
    out.visitTypeInsn(Opcodes.NEW, ERROR);
    out.visitInsn(Opcodes.DUP);
    out.visitLdcInsn("d2j fail translate: " + method + ": " + e);
    out.visitMethodInsn(Opcodes.INVOKESPECIAL, ERROR, "<init>", "(Ljava/lang/String;)V", false);
    out.visitInsn(Opcodes.ATHROW);
    out.visitMaxs(3, method.getParameterTypes().length * 2 + 1);
  }
}
