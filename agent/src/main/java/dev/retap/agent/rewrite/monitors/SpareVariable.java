// A variable of a static method right after its arguments, which holds a class from the first
// instruction on. Variables behind it move by one, and every frame names it. Frames come as
// differences to the one before, and leave as whole ones.
package dev.retap.agent.rewrite.monitors;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

final class SpareVariable {
  private static final String CLASS = "java/lang/Class";

  private final int index;
  private final List<Object> arguments = new ArrayList<>();

  /** The types of the variables, without the spare one, in the last frame. */
  private List<Object> types;

  SpareVariable(String descriptor) {
    int words = 0;
    for (Type argument : Type.getArgumentTypes(descriptor)) {
      words += argument.getSize();
      arguments.add(frameType(argument));
    }
    index = words;
    types = new ArrayList<>(arguments);
  }

  int index() {
    return index;
  }

  int moved(int variable) {
    return variable < index ? variable : variable + 1;
  }

  /** Returns the types of all variables at the first instruction. */
  Object[] atStart() {
    return withSpare(arguments);
  }

  /** Returns the types of all variables in a frame that was given in one of ASM's kinds. */
  Object[] frame(int kind, int count, Object[] local) {
    switch (kind) {
      case Opcodes.F_FULL, Opcodes.F_NEW ->
          types = new ArrayList<>(Arrays.asList(local).subList(0, count));
      case Opcodes.F_APPEND -> types.addAll(Arrays.asList(local).subList(0, count));
      case Opcodes.F_CHOP -> types = new ArrayList<>(types.subList(0, types.size() - count));
      default -> {
        // The variables are those of the last frame.
      }
    }
    return withSpare(types);
  }

  private Object[] withSpare(List<Object> plain) {
    List<Object> all = new ArrayList<>();
    int words = 0;
    int next = 0;
    while (words < index && next < plain.size()) {
      Object type = plain.get(next++);
      words += type == Opcodes.LONG || type == Opcodes.DOUBLE ? 2 : 1;
      all.add(type);
    }
    while (words++ < index) {
      all.add(Opcodes.TOP);
    }
    all.add(CLASS);
    all.addAll(plain.subList(next, plain.size()));
    return all.toArray();
  }

  private static Object frameType(Type type) {
    return switch (type.getSort()) {
      case Type.BOOLEAN, Type.BYTE, Type.CHAR, Type.SHORT, Type.INT -> Opcodes.INTEGER;
      case Type.LONG -> Opcodes.LONG;
      case Type.FLOAT -> Opcodes.FLOAT;
      case Type.DOUBLE -> Opcodes.DOUBLE;
      default -> type.getInternalName();
    };
  }
}
