// Constant strings that are too long for a class file. A dex file has no limit, and the tables of
// parsers are strings. dex2jar has a way of its own to build long ones, which overwrites registers
// that the method still needs. So the string is cut before dex2jar sees it, with calls that say
// what the pieces are, and put together again by the code that replaces these calls afterwards.
package dev.retap.agent.prepare;

import com.googlecode.d2j.Method;
import com.googlecode.d2j.reader.BaseDexFileReader;
import com.googlecode.d2j.reader.Op;
import com.googlecode.d2j.visitors.DexClassVisitor;
import com.googlecode.d2j.visitors.DexCodeVisitor;
import com.googlecode.d2j.visitors.DexFileVisitor;
import com.googlecode.d2j.visitors.DexMethodVisitor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodNode;

final class LongStrings {
  private static final int MAX_BYTES = 65_535;

  /** The length from which on dex2jar builds a string itself. */
  private static final int BUILT_BY_DEX2JAR = 32_767;

  /** A character takes at most three bytes in a class file. */
  private static final int MAX_CHARS = MAX_BYTES / 3;

  /** The owner of the calls, which no class file keeps. */
  private static final String OWNER = "dev/retap/agent/prepare/LongString";

  private static final String FIRST = "first";
  private static final String NEXT = "next";
  private static final String WHOLE = "whole";
  private static final String STRING = "Ljava/lang/String;";

  private final Set<String> classes = new HashSet<>();

  /** Returns the dex with every long string in pieces. */
  BaseDexFileReader cut(BaseDexFileReader dex) {
    return new CutDex(dex);
  }

  /** Returns a translated class with its strings in one piece. */
  byte[] join(String name, byte[] classFile) {
    if (!classes.contains(name)) {
      return classFile;
    }
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String type, String signature, String[] exceptions) {
            MethodVisitor out = super.visitMethod(access, name, type, signature, exceptions);
            return new MethodNode(Opcodes.ASM9, access, name, type, signature, exceptions) {
              @Override
              public void visitEnd() {
                accept(new Joiner(out, maxLocals));
              }
            };
          }
        },
        0);
    return writer.toByteArray();
  }

  static boolean isLong(String text) {
    if (text.length() <= MAX_CHARS) {
      return false;
    }
    long bytes = text.chars().map(c -> c >= 1 && c < 0x80 ? 1 : c < 0x800 ? 2 : 3).sum();
    return text.length() >= BUILT_BY_DEX2JAR || bytes > MAX_BYTES;
  }

  /** Keeps the string in a local variable that the method does not have yet. */
  private static final class Joiner extends MethodVisitor {
    private final int local;
    private boolean isUsed;

    Joiner(MethodVisitor out, int local) {
      super(Opcodes.ASM9, out);
      this.local = local;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String type, boolean isInterface) {
      if (!owner.equals(OWNER)) {
        super.visitMethodInsn(opcode, owner, name, type, isInterface);
        return;
      }
      isUsed = true;
      if (name.equals(FIRST)) {
        super.visitVarInsn(Opcodes.ASTORE, local);
        return;
      }
      super.visitVarInsn(Opcodes.ALOAD, local);
      if (name.equals(WHOLE)) {
        // Equal constants are one object.
        call("intern", "()" + STRING);
        return;
      }
      super.visitInsn(Opcodes.SWAP);
      call("concat", "(" + STRING + ")" + STRING);
      super.visitVarInsn(Opcodes.ASTORE, local);
    }

    private void call(String name, String type) {
      super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/String", name, type, false);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      super.visitMaxs(maxStack + 1, isUsed ? maxLocals + 1 : maxLocals);
    }
  }

  private final class CutDex implements BaseDexFileReader {
    private final BaseDexFileReader dex;

    CutDex(BaseDexFileReader dex) {
      this.dex = dex;
    }

    @Override
    public int getDexVersion() {
      return dex.getDexVersion();
    }

    @Override
    public List<String> getClassNames() {
      return dex.getClassNames();
    }

    @Override
    public void accept(DexFileVisitor out) {
      dex.accept(new CutFile(out));
    }

    @Override
    public void accept(DexFileVisitor out, int config) {
      dex.accept(new CutFile(out), config);
    }

    @Override
    public void accept(DexFileVisitor out, int classNumber, int config) {
      dex.accept(new CutFile(out), classNumber, config);
    }
  }

  private final class CutFile extends DexFileVisitor {
    CutFile(DexFileVisitor out) {
      super(out);
    }

    @Override
    public DexClassVisitor visit(int access, String name, String parent, String[] interfaces) {
      DexClassVisitor type = super.visit(access, name, parent, interfaces);
      return type == null ? null : new CutClass(type, name.substring(1, name.length() - 1));
    }
  }

  private final class CutClass extends DexClassVisitor {
    private final String name;

    CutClass(DexClassVisitor out, String name) {
      super(out);
      this.name = name;
    }

    @Override
    public DexMethodVisitor visitMethod(int access, Method method) {
      DexMethodVisitor out = super.visitMethod(access, method);
      return out == null
          ? null
          : new DexMethodVisitor(out) {
            @Override
            public DexCodeVisitor visitCode() {
              DexCodeVisitor code = super.visitCode();
              return code == null ? null : new CutCode(code, name);
            }
          };
    }
  }

  private final class CutCode extends DexCodeVisitor {
    private static final String TYPE = "L" + OWNER + ";";

    private final String name;

    CutCode(DexCodeVisitor out, String name) {
      super(out);
      this.name = name;
    }

    @Override
    public void visitConstStmt(Op op, int register, Object value) {
      if (!(value instanceof String text) || !isLong(text)) {
        super.visitConstStmt(op, register, value);
        return;
      }
      classes.add(name);
      String[] piece = {STRING};
      for (int from = 0; from < text.length(); from += MAX_CHARS) {
        int to = Math.min(text.length(), from + MAX_CHARS);
        super.visitConstStmt(op, register, text.substring(from, to));
        Method call = new Method(TYPE, from == 0 ? FIRST : NEXT, piece, "V");
        super.visitMethodStmt(Op.INVOKE_STATIC, new int[] {register}, call);
      }
      Method whole = new Method(TYPE, WHOLE, new String[0], STRING);
      super.visitMethodStmt(Op.INVOKE_STATIC, new int[0], whole);
      super.visitStmt1R(Op.MOVE_RESULT_OBJECT, register);
    }
  }
}
