// Constants of a dex file that no class file can hold in one piece.
package dev.retap.agent.prepare;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import com.googlecode.d2j.DexConstants;
import com.googlecode.d2j.Method;
import com.googlecode.d2j.dex.Dex2jar;
import com.googlecode.d2j.node.DexFileNode;
import com.googlecode.d2j.reader.BaseDexFileReader;
import com.googlecode.d2j.reader.Op;
import com.googlecode.d2j.visitors.DexClassVisitor;
import com.googlecode.d2j.visitors.DexCodeVisitor;
import com.googlecode.d2j.visitors.DexMethodVisitor;
import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class LongStringsTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void aStringOfAnyLengthIsTheConstantThatTheDexHas() throws Exception {
    for (int length : new int[] {10, 32_767, 65_536, 200_000}) {
      String plain = "x".repeat(length);
      assertEquals(plain, translate(plain));
      String wide = "\u4e2d\0\u00e9".repeat(length / 3);
      assertEquals(wide, translate(wide));
      assertSame(wide.intern(), translate(wide));
    }
  }

  @Test
  public void lengthAndBytesDecideWhetherAStringIsLong() {
    assertFalse(LongStrings.isLong("x".repeat(32_766)));
    assertTrue(LongStrings.isLong("x".repeat(32_767)));
    assertFalse(LongStrings.isLong("\u4e2d".repeat(21_845)));
    assertTrue(LongStrings.isLong("\u4e2d".repeat(21_846)));
  }

  /** Returns what a translated method returns whose dex returns a constant. */
  private String translate(String constant) throws Exception {
    Path jar = folder.newFolder().toPath().resolve("classes.jar");
    LongStrings strings = new LongStrings();
    Dex2jar.from(strings.cut(dex(constant))).computeFrames(false).to(jar);
    Class<?> type = NodeDex.load(jar, bytes -> strings.join("Table", bytes));
    return (String) type.getMethod("text").invoke(null);
  }

  private static BaseDexFileReader dex(String constant) {
    DexFileNode file = new DexFileNode();
    DexClassVisitor type =
        file.visit(DexConstants.ACC_PUBLIC, "LTable;", "Ljava/lang/Object;", new String[0]);
    Method text = new Method("LTable;", "text", new String[0], "Ljava/lang/String;");
    DexMethodVisitor method =
        type.visitMethod(DexConstants.ACC_PUBLIC | DexConstants.ACC_STATIC, text);
    DexCodeVisitor code = method.visitCode();
    // A table of a parser: the numbers of the array live in the registers beside the text.
    code.visitRegister(4);
    code.visitConstStmt(Op.CONST_4, 0, 1);
    code.visitTypeStmt(Op.NEW_ARRAY, 1, 0, "[Ljava/lang/String;");
    code.visitConstStmt(Op.CONST_4, 3, 0);
    code.visitConstStmt(Op.CONST_STRING, 2, constant);
    code.visitStmt3R(Op.APUT_OBJECT, 2, 1, 3);
    code.visitStmt3R(Op.AGET_OBJECT, 0, 1, 3);
    code.visitStmt1R(Op.RETURN_OBJECT, 0);
    code.visitEnd();
    return new NodeDex(file);
  }
}
