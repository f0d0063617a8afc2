// Constants of the app's code arrive in the translation with their sign.
package dev.retap.agent.rewrite;

import static org.junit.Assert.assertEquals;

import com.googlecode.d2j.asm.LdcOptimizeAdapter;
import dev.retap.agent.rewrite.fixes.NegativeZeroFix;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

public final class NegativeZeroFixTest {
  @Test
  public void aZeroKeepsItsSign() throws Exception {
    assertEquals("ldc -0.0", written(-0.0));
    assertEquals("ldc -0.0", written(-0.0f));
  }

  @Test
  public void otherConstantsAreShortAsBefore() throws Exception {
    assertEquals("insn " + Opcodes.DCONST_0, written(0.0));
    assertEquals("insn " + Opcodes.FCONST_1, written(1.0f));
    assertEquals("insn " + Opcodes.ICONST_3, written(3));
    assertEquals("ldc text", written("text"));
  }

  private static String written(Object constant) throws Exception {
    Class<?> original = LdcOptimizeAdapter.class;
    byte[] rewritten = NegativeZeroFix.rewrite(RewrittenClasses.bytesOf(original));
    List<String> instructions = new ArrayList<>();
    MethodVisitor lister =
        new MethodVisitor(Opcodes.ASM9) {
          @Override
          public void visitLdcInsn(Object value) {
            instructions.add("ldc " + value);
          }

          @Override
          public void visitInsn(int opcode) {
            instructions.add("insn " + opcode);
          }
        };
    MethodVisitor adapter =
        (MethodVisitor)
            RewrittenClasses.load(original, rewritten)
                .getConstructor(MethodVisitor.class)
                .newInstance(lister);
    adapter.visitLdcInsn(constant);
    return String.join(", ", instructions);
  }
}
