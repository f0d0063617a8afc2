// Translates a method once more, without dex2jar's own way to fill arrays, if that fails: it
// depends on hash codes whether it takes a text for an index. Left alone, dex2jar would write the
// method without code, which the JVM does not survive. A method that fails again throws what the
// phone takes for a limitation of its host.
package dev.retap.agent.prepare;

import com.googlecode.d2j.Method;
import com.googlecode.d2j.dex.Dex2Asm;
import com.googlecode.d2j.dex.DexExceptionHandler;
import com.googlecode.d2j.node.DexMethodNode;
import com.googlecode.dex2jar.ir.IrMethod;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodNode;

final class PlainTranslation implements DexExceptionHandler {
  private static final String ERROR = "java/lang/RuntimeException";

  private final DexExceptionHandler failures;

  /**
   * @param failures learns of methods that fail again, or null
   */
  PlainTranslation(DexExceptionHandler failures) {
    this.failures = failures;
  }

  @Override
  public void handleFileException(Exception e) {
    throw new IllegalArgumentException("the dex code cannot be read: " + e, e);
  }

  @Override
  public void handleMethodTranslateException(
      Method method, DexMethodNode node, MethodVisitor out, Exception e) {
    try {
      translate(node).accept(out);
    } catch (RuntimeException again) {
      if (failures == null) {
        refuse(method, out, again);
      } else {
        failures.handleMethodTranslateException(method, node, out, again);
      }
    }
  }

  private static MethodNode translate(DexMethodNode node) {
    MethodNode code = new MethodNode();
    Dex2Asm.ClzCtx context = new Dex2Asm.ClzCtx();
    context.classDescriptor = node.method.getOwner();
    new PlainTranslator().convertCode(node, code, context);
    if (context.hexDecodeMethodNamePrefix != null) {
      throw new IllegalArgumentException("a helper method would be missing");
    }
    return code;
  }

  private static void refuse(Method method, MethodVisitor out, Exception e) {
    out.visitTypeInsn(Opcodes.NEW, ERROR);
    out.visitInsn(Opcodes.DUP);
    out.visitLdcInsn("d2j fail translate: " + method + ": " + e);
    out.visitMethodInsn(
        Opcodes.INVOKESPECIAL, ERROR, "<init>", "(Ljava/lang/String;)V", false);
    out.visitInsn(Opcodes.ATHROW);
    out.visitMaxs(3, method.getParameterTypes().length * 2 + 1);
  }

  /** The steps of dex2jar in their order, without the one that fills arrays. */
  private static final class PlainTranslator extends Dex2Asm {
    @Override
    public void optimize(IrMethod method) {
      T_CLEAN_LABEL.transform(method);
      simplify(method);
      T_ZERO.transform(method);
      if (T_NPE.transformReportChanged(method)) {
        simplify(method);
      }
      T_NEW.transform(method);
      T_AGG.transform(method);
      T_MULTI_ARRAY.transform(method);
      T_VOID_INVOKE.transform(method);
      simplify(method);
      T_TYPE.transform(method);
      T_UNSSA.transform(method);
      T_TRIM_EX.transform(method);
      T_IR_2_J_REG_ASSIGN.transform(method);
    }

    private static void simplify(IrMethod method) {
      T_DEAD_CODE.transform(method);
      T_REMOVE_LOCAL.transform(method);
      T_REMOVE_CONST.transform(method);
    }
  }
}
