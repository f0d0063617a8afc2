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
import org.objectweb.asm.tree.FieldInsnNode;
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
  private static final byte[] JACOCO = "$jacoco".getBytes(StandardCharsets.US_ASCII);
  private static final String RUNTIME = "org/jacoco/agent/rt/";
  private static final BasicValue PROBES = new BasicValue(Type.getType("[Z"));

  private BuiltInProbes() {}

  /** Returns the class without probes, or the same bytes if it has none or unknown ones. */
  static byte[] remove(byte[] classFile) {
    try {
      return mentionsProbes(classFile) ? removeAll(classFile) : classFile;
    } catch (IllegalArgumentException e) {
      return classFile;
    }
  }

  private static byte[] removeAll(byte[] classFile) {
    ClassNode type = new ClassNode();
    new ClassReader(classFile).accept(type, ClassReader.SKIP_FRAMES);
    type.methods.removeIf(method -> method.name.equals(INIT));
    type.fields.removeIf(field -> field.name.equals(DATA));
    for (MethodNode method : type.methods) {
      removeFrom(type.name, method);
    }
    type.methods.removeIf(BuiltInProbes::isEmptyInitializer);
    ClassWriter writer = new ClassWriter(0);
    type.accept(writer);
    return writer.toByteArray();
  }

  private static void removeFrom(String type, MethodNode method) {
    List<AbstractInsnNode> sources = new ArrayList<>();
    for (AbstractInsnNode instruction : method.instructions) {
      if (isSource(instruction)) {
        sources.add(instruction);
      }
    }
    if (sources.isEmpty()) {
      return;
    }
    for (AbstractInsnNode store : probesIn(type, method)) {
      removeProbe(method, store);
    }
    for (AbstractInsnNode source : sources) {
      removeSource(method, source);
    }
  }

  /** Removes what brings the array, with the arguments of JaCoCo's runtime, and its destination. */
  private static void removeSource(MethodNode method, AbstractInsnNode source) {
    AbstractInsnNode next = nextCode(source);
    boolean isKept = next instanceof FieldInsnNode field && field.name.equals(DATA);
    if (isKept || next.getOpcode() == Opcodes.ASTORE && !isRead(method, (VarInsnNode) next)) {
      method.instructions.remove(next);
    } else {
      method.instructions.insert(source, new InsnNode(Opcodes.ACONST_NULL));
    }
    if (source instanceof MethodInsnNode call && call.owner.startsWith(RUNTIME)) {
      for (int i = 0; i < 3; i++) {
        AbstractInsnNode argument = previousCode(source);
        if (argument == null || !isPush(argument)) {
          throw new IllegalArgumentException("an unknown form of JaCoCo's probes");
        }
        method.instructions.remove(argument);
      }
    }
    method.instructions.remove(source);
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

  /** Returns true if the instruction brings the array of probes. */
  private static boolean isSource(AbstractInsnNode instruction) {
    if (instruction instanceof MethodInsnNode call) {
      return call.desc.endsWith(")[Z")
          && (call.name.equals(INIT) || call.owner.startsWith(RUNTIME));
    }
    return instruction.getOpcode() == Opcodes.GETSTATIC
        && ((FieldInsnNode) instruction).name.equals(DATA);
  }

  private static boolean isEmptyInitializer(MethodNode method) {
    if (!method.name.equals("<clinit>")) {
      return false;
    }
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction.getOpcode() >= 0 && instruction.getOpcode() != Opcodes.RETURN) {
        return false;
      }
    }
    return true;
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
    for (int i = 0; i + JACOCO.length <= classFile.length; i++) {
      for (int j = 0; j < JACOCO.length; j++) {
        if (classFile[i + j] != JACOCO[j]) {
          continue next;
        }
      }
      return true;
    }
    return false;
  }

  /** Follows the array from where it comes. */
  private static final class ProbeArrays extends BasicInterpreter {
    ProbeArrays() {
      super(Opcodes.ASM9);
    }

    @Override
    public BasicValue newOperation(AbstractInsnNode instruction) throws AnalyzerException {
      return isSource(instruction) ? PROBES : super.newOperation(instruction);
    }

    @Override
    public BasicValue naryOperation(AbstractInsnNode instruction, List<? extends BasicValue> values)
        throws AnalyzerException {
      return isSource(instruction) ? PROBES : super.naryOperation(instruction, values);
    }
  }
}
