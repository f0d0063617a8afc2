// Gives a framework method its own code back. Robolectric splits each method in two: a wrapper
// under the method's name and the original code under another. Where no shadow can take the call,
// the code moves into the wrapper, and the other name, by which shadows call the original, leads to
// it. Each call of the framework then costs one frame instead of two, which matters most where code
// runs too seldom to be compiled.
package dev.retap.agent.rewrite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

final class MergedMethods {
  /** A wrapper's instructions besides the loads of its arguments: the call and the return. */
  private static final int CALL_AND_RETURN = 2;

  private final ClassNode type;
  private final Map<String, MethodNode> methods = new HashMap<>();

  private MergedMethods(ClassNode type) {
    this.type = type;
    type.methods.forEach(method -> methods.put(method.name + method.desc, method));
  }

  /** Reads a class as Robolectric made it and merges its methods. */
  static ClassNode read(byte[] classFile, ShadowedMethods shadowed) {
    ClassNode type = new ClassNode();
    new ClassReader(classFile).accept(type, 0);
    new MergedMethods(type).merge(shadowed);
    return type;
  }

  private void merge(ShadowedMethods shadowed) {
    for (MethodNode wrapper : type.methods) {
      MethodNode original = originalOf(wrapper);
      if (original != null && !shadowed.canBeShadowed(type.name, wrapper.name)) {
        merge(wrapper, original);
      }
    }
  }

  /** Returns the method whose code the wrapper does nothing but call, else null. */
  private MethodNode originalOf(MethodNode wrapper) {
    InvokeDynamicInsnNode call = null;
    int instructions = 0;
    for (AbstractInsnNode instruction : wrapper.instructions) {
      if (instruction.getOpcode() >= 0) {
        instructions++;
      }
      if (instruction instanceof InvokeDynamicInsnNode dynamic) {
        call = dynamic;
      }
    }
    if (call == null
        || !call.name.equals(wrapper.name)
        || !DirectCalls.isWrapped(call.bsm, call.bsmArgs)
        || instructions != arguments(wrapper).size() + CALL_AND_RETURN) {
      return null;
    }
    Handle original = (Handle) call.bsmArgs[0];
    MethodNode found = methods.get(original.getName() + original.getDesc());
    boolean isOwn =
        original.getOwner().equals(type.name) && original.getDesc().equals(wrapper.desc);
    return isOwn && found != null && isStatic(found) == isStatic(wrapper) ? found : null;
  }

  private void merge(MethodNode wrapper, MethodNode original) {
    wrapper.access |= original.access & Opcodes.ACC_SYNCHRONIZED;
    original.access &= ~Opcodes.ACC_SYNCHRONIZED;
    wrapper.instructions = original.instructions;
    wrapper.tryCatchBlocks = original.tryCatchBlocks;
    wrapper.localVariables = original.localVariables;
    wrapper.visibleLocalVariableAnnotations = original.visibleLocalVariableAnnotations;
    wrapper.invisibleLocalVariableAnnotations = original.invisibleLocalVariableAnnotations;
    wrapper.maxStack = original.maxStack;
    wrapper.maxLocals = original.maxLocals;
    callInstead(original, wrapper);
  }

  /** Makes a method do nothing but call the other one. */
  private void callInstead(MethodNode method, MethodNode called) {
    InsnList code = new InsnList();
    int words = 0;
    for (Type argument : arguments(method)) {
      code.add(new VarInsnNode(argument.getOpcode(Opcodes.ILOAD), words));
      words += argument.getSize();
    }
    boolean isInterface = (type.access & Opcodes.ACC_INTERFACE) != 0;
    int opcode = isStatic(method) ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL;
    code.add(new MethodInsnNode(opcode, type.name, called.name, called.desc, isInterface));
    Type returned = Type.getReturnType(method.desc);
    code.add(new InsnNode(returned.getOpcode(Opcodes.IRETURN)));
    method.instructions = code;
    method.tryCatchBlocks = new ArrayList<>();
    method.localVariables = new ArrayList<>();
    method.visibleLocalVariableAnnotations = null;
    method.invisibleLocalVariableAnnotations = null;
    method.maxStack = Math.max(words, returned.getSize());
    method.maxLocals = words;
  }

  /** Returns the types of what a call of the method takes, the object first. */
  private List<Type> arguments(MethodNode method) {
    List<Type> arguments = new ArrayList<>();
    if (!isStatic(method)) {
      arguments.add(Type.getObjectType(type.name));
    }
    arguments.addAll(List.of(Type.getArgumentTypes(method.desc)));
    return arguments;
  }

  private static boolean isStatic(MethodNode method) {
    return (method.access & Opcodes.ACC_STATIC) != 0;
  }
}
