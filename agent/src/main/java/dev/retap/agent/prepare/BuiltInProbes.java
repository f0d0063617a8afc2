// JaCoCo's probes in an app that was built with coverage on. They are taken out: such an app is
// counted like any other, and JaCoCo's runtime, which looks for a folder that no phone has, never
// starts. After a translation to dex and back a probe may have any shape, so that the flow of the
// array decides what is one.
package dev.retap.agent.prepare;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

final class BuiltInProbes {
  private static final String INIT = "$jacocoInit";
  private static final String DATA = "$jacocoData";
  private static final byte[] INIT_BYTES = INIT.getBytes(StandardCharsets.US_ASCII);
  private static final BasicValue PROBES = new BasicValue(Type.getType("[Z"));

  private BuiltInProbes() {}

  /** Returns the class without probes, or the same bytes if it has none. */
  static byte[] remove(byte[] classFile) {
    if (!mentionsProbes(classFile)) {
      return classFile;
    }
    ClassNode type = new ClassNode();
    new ClassReader(classFile).accept(type, ClassReader.SKIP_FRAMES);
    type.methods.removeIf(method -> method.name.equals(INIT));
    type.fields.removeIf(field -> field.name.equals(DATA));
    for (MethodNode method : type.methods) {
      removeFrom(type.name, method);
    }
    ClassWriter writer = new ClassWriter(0);
    type.accept(writer);
    return writer.toByteArray();
  }

  private static void removeFrom(String type, MethodNode method) {
    List<AbstractInsnNode> calls = new ArrayList<>();
    for (AbstractInsnNode instruction : method.instructions) {
      if (isInit(instruction)) {
        calls.add(instruction);
      }
    }
    if (calls.isEmpty()) {
      return;
    }
    for (AbstractInsnNode store : probesIn(type, method)) {
      removeProbe(method, store);
    }
    for (AbstractInsnNode call : calls) {
      AbstractInsnNode next = nextCode(call);
      if (next.getOpcode() == Opcodes.ASTORE && !isRead(method, (VarInsnNode) next)) {
        method.instructions.remove(next);
        method.instructions.remove(call);
      } else {
        method.instructions.set(call, new InsnNode(Opcodes.ACONST_NULL));
      }
    }
  }

  /** Returns the instructions that store into the array of probes. */
  private static List<AbstractInsnNode> probesIn(String type, MethodNode method) {
    Frame<BasicValue>[] frames;
    try {
      frames = new Analyzer<>(new ProbeArrays()).analyze(type, method);
    } catch (AnalyzerException e) {
      throw new IllegalArgumentException(type + "." + method.name, e);
    }
    List<AbstractInsnNode> stores = new ArrayList<>();
    for (int i = 0; i < frames.length; i++) {
      AbstractInsnNode instruction = method.instructions.get(i);
      if (instruction.getOpcode() == Opcodes.BASTORE && frames[i] != null) {
        BasicValue array = frames[i].getStack(frames[i].getStackSize() - 3);
        if (array == PROBES) {
          stores.add(instruction);
        }
      }
    }
    return stores;
  }

  /** Removes the four instructions of a probe; if they have another shape, drops the values. */
  private static void removeProbe(MethodNode method, AbstractInsnNode store) {
    AbstractInsnNode value = previousCode(store);
    AbstractInsnNode index = value == null ? null : previousCode(value);
    AbstractInsnNode array = index == null ? null : previousCode(index);
    if (isPush(value) && isPush(index) && array != null && array.getOpcode() == Opcodes.ALOAD) {
      for (AbstractInsnNode part : new AbstractInsnNode[] {array, index, value, store}) {
        method.instructions.remove(part);
      }
    } else {
      method.instructions.insert(store, new InsnNode(Opcodes.POP));
      method.instructions.set(store, new InsnNode(Opcodes.POP2));
    }
  }

  private static boolean isPush(AbstractInsnNode instruction) {
    int opcode = instruction == null ? -1 : instruction.getOpcode();
    return opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.ICONST_5
        || opcode == Opcodes.BIPUSH
        || opcode == Opcodes.SIPUSH
        || opcode == Opcodes.LDC
        || opcode == Opcodes.ILOAD;
  }

  private static boolean isInit(AbstractInsnNode instruction) {
    return instruction instanceof MethodInsnNode call
        && call.name.equals(INIT)
        && call.desc.equals("()[Z");
  }

  private static boolean isRead(MethodNode method, VarInsnNode store) {
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction.getOpcode() == Opcodes.ALOAD
          && ((VarInsnNode) instruction).var == store.var) {
        return true;
      }
    }
    return false;
  }

  private static AbstractInsnNode previousCode(AbstractInsnNode from) {
    AbstractInsnNode at = from.getPrevious();
    while (at != null && at.getType() == AbstractInsnNode.LINE) {
      at = at.getPrevious();
    }
    return at != null && at.getOpcode() < 0 ? null : at;
  }

  private static AbstractInsnNode nextCode(AbstractInsnNode from) {
    AbstractInsnNode at = from.getNext();
    while (at.getOpcode() < 0) {
      at = at.getNext();
    }
    return at;
  }

  private static boolean mentionsProbes(byte[] classFile) {
    next:
    for (int i = 0; i + INIT_BYTES.length <= classFile.length; i++) {
      for (int j = 0; j < INIT_BYTES.length; j++) {
        if (classFile[i + j] != INIT_BYTES[j]) {
          continue next;
        }
      }
      return true;
    }
    return false;
  }

  /** Follows the array from the call that returns it. */
  private static final class ProbeArrays extends BasicInterpreter {
    ProbeArrays() {
      super(Opcodes.ASM9);
    }

    @Override
    public BasicValue naryOperation(AbstractInsnNode instruction, List<? extends BasicValue> values)
        throws AnalyzerException {
      return isInit(instruction) ? PROBES : super.naryOperation(instruction, values);
    }
  }
}
