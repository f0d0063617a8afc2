// A method that dex2jar cannot translate.
package dev.retap.agent.prepare;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.googlecode.d2j.DexConstants;
import com.googlecode.d2j.Method;
import com.googlecode.d2j.node.DexMethodNode;
import org.junit.Test;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;

public final class RefusedMethodsTest {
  @Test
  public void itSaysSoWhenItIsCalled() {
    Method method = new Method("LTable;", "text", new String[] {"J"}, "Ljava/lang/String;");
    DexMethodNode dex = new DexMethodNode(DexConstants.ACC_PUBLIC, method);
    MethodNode out = new MethodNode();
    new RefusedMethods().handleMethodTranslateException(method, dex, out, new Exception("why"));
    assertEquals(Opcodes.ATHROW, out.instructions.getLast().getOpcode());
    String message = ((LdcInsnNode) out.instructions.get(2)).cst.toString();
    assertTrue(message, message.startsWith("d2j fail translate: LTable;->text"));
    assertTrue(message, message.endsWith("why"));
  }
}
