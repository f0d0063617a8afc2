// Methods that dex2jar's embellishments could not take.
package dev.retap.agent.prepare;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.googlecode.d2j.DexConstants;
import com.googlecode.d2j.Method;
import com.googlecode.d2j.node.DexMethodNode;
import com.googlecode.d2j.reader.Op;
import com.googlecode.d2j.visitors.DexCodeVisitor;
import java.util.Arrays;
import org.junit.Test;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;

public final class PlainTranslationTest {
  private static final Method METHOD =
      new Method("LTable;", "text", new String[] {"J"}, "Ljava/lang/String;");

  private final DexMethodNode dex =
      new DexMethodNode(DexConstants.ACC_PUBLIC | DexConstants.ACC_STATIC, METHOD);

  @Test
  public void aMethodThatFailedOnceIsTranslatedPlainly() {
    DexCodeVisitor code = dex.visitCode();
    code.visitRegister(3);
    code.visitConstStmt(Op.CONST_STRING, 0, "a table");
    code.visitStmt1R(Op.RETURN_OBJECT, 0);
    code.visitEnd();
    AbstractInsnNode[] translated = translate();
    assertEquals(Opcodes.ARETURN, translated[translated.length - 1].getOpcode());
    assertEquals("a table", message(translated));
  }

  @Test
  public void aMethodThatFailsAgainSaysSoWhenItIsCalled() {
    // A node without code is what no translator can take.
    AbstractInsnNode[] translated = translate();
    assertEquals(Opcodes.ATHROW, translated[translated.length - 1].getOpcode());
    assertTrue(message(translated).startsWith("d2j fail translate: LTable;->text"));
  }

  private AbstractInsnNode[] translate() {
    MethodNode out = new MethodNode();
    new PlainTranslation(null)
        .handleMethodTranslateException(METHOD, dex, out, new ClassCastException());
    return Arrays.stream(out.instructions.toArray())
        .filter(instruction -> instruction.getOpcode() >= 0)
        .toArray(AbstractInsnNode[]::new);
  }

  private static String message(AbstractInsnNode[] instructions) {
    return Arrays.stream(instructions)
        .filter(LdcInsnNode.class::isInstance)
        .map(instruction -> ((LdcInsnNode) instruction).cst.toString())
        .findFirst()
        .orElse("");
  }
}
